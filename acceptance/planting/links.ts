import { openApi } from '../parts/api.ts';
import type { Plant } from './plants.ts';

const linksMax = 40;

/** Invites some of the addresses; half of those accept. The tokens of their links. */
export async function inviteSome(port: number, token: string, plants: readonly Plant[]): Promise<string[]> {
  using api = await openApi(port, token, 1);
  const links: string[] = [];
  for (const { text } of plants.filter(({ kind }) => kind === 'email').slice(0, linksMax)) {
    const body = JSON.stringify({ email: `invited.${text}`, roles: ['Viewer'] });
    const made = await api.data<{ invitation: { url: string } }>({ method: 'POST', path: '/v2/members', body });
    const link = made.invitation.url.split('#')[1] ?? '';
    links.push(link);
    const accept = { method: 'POST', path: '/v2/invitations/accept', body: JSON.stringify({ token: link }) } as const;
    if (links.length % 2 === 0) await api.data(accept);
  }
  return links;
}

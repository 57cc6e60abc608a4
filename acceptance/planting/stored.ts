import { openApi } from '../parts/api.ts';
import type { Plant } from './plants.ts';

const contacts = '/v2/chatbots/desk/contacts';

interface Merged {
  merge_id: string;
  lost: { field: string }[];
}

/** Contacts of plants are merged, back, merged for good and erased; some answers are errors about them. */
export async function putTogetherAndErase(port: number, token: string, plants: readonly Plant[]): Promise<void> {
  using api = await openApi(port, token, 1);
  const post = <T>(path: string, body: object, idempotencyKey?: string) =>
    api.data<T>({ method: 'POST', path, body: JSON.stringify(body), idempotencyKey });
  const make = async ({ text }: Plant) => {
    const properties = {
      name: text,
      company: text,
      phone: text,
      attributes: { note: text },
      external_id: `of ${text}`,
    };
    return (await post<{ id: string }>(contacts, { properties })).id;
  };
  for (const [index, plant] of plants.slice(0, 8).entries()) {
    const [stays, source] = [await make(plant), await make(plants.at(-1 - index) ?? plant)];
    const merge = () => post<Merged>(`${contacts}/${stays}/merge`, { from: [source] }, `merge-${index}`);
    const { merge_id: id, lost } = await merge();
    await merge();
    if (lost.length === 0) throw new Error('nothing of a planted contact was lost in its merge');
    if (index % 2 === 0) await post(`/v2/chatbots/desk/merges/${id}/undo`, {});
    await api.ask({
      method: 'PATCH',
      path: `${contacts}/${source}`,
      body: JSON.stringify({ properties: { city: 'X' } }),
    });
    await post('/v2/contacts/disclose', { external_id: `of ${plant.text}` });
    const places = [stays, source].map((one) => ({ chatbot_id: 'desk', id: one }));
    if (index % 4 > 1) await post('/v2/contacts/erase', { contacts: places, reference: plant.text }, `erase-${index}`);
  }
}

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

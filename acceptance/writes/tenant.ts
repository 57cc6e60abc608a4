import type { Installation } from '../installation.ts';

/** A project with a key that may do everything. */
export interface Tenant {
  project: string;
  token: string;
  keyId: string;
}

/** One that every tenant has, so that nothing but the project tells them apart. */
export const sharedChatbot = 'shared';

export async function aTenant(at: Pick<Installation, 'json'>, project: string): Promise<Tenant> {
  await at.json(['projects', 'create', project, '--id', project]);
  await at.json(['chatbots', 'create', '--project', project, '--name', 'Bot', '--id', sharedChatbot]);
  const args = ['keys', 'create', '--project', project, '--name', 'k', '--scope', 'all'];
  const { id, token } = await at.json<{ id: string; token: string }>(args);
  return { project, token, keyId: id };
}

import { operator } from '../../src/actor.ts';
import type { Role } from '../../src/members/member.ts';
import { run } from '../../src/operation.ts';
import { createSignInLink } from '../../src/sign-in/link.ts';
import type { Store } from '../../src/store.ts';
import type { TestAnswer, TestApp } from './app.ts';
import { aMember, aProject } from './people.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';
export type Call = (method: Method, path: string, body?: object, headers?: object) => Promise<TestAnswer>;

export const ownPage = { origin: 'https://roster.test', 'sec-fetch-site': 'same-origin' };

/** Calls of the console from its own page, with a cookie or none. */
export function callsOf(server: Pick<TestApp, 'ask'>, cookie?: string): Call {
  return (method, path, body, headers = {}) =>
    server.ask({
      method,
      url: `/console/api${path}`,
      headers: { ...ownPage, ...(cookie !== undefined && { cookie }), ...headers },
      ...(body && { payload: body }),
    });
}

export function cookieOf({ headers }: TestAnswer): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

export async function linkFor(store: Store, projectId: string, memberId: string): Promise<string> {
  const options = { publicUrl: 'https://roster.test' };
  const { output } = await run(createSignInLink, store, operator(projectId), { memberId }, options);
  return output.url.split('#')[1] ?? '';
}

/** A project whose members have the given roles, one each, and calls as each of them. */
export async function aTeam(server: Pick<TestApp, 'ask' | 'store'>, given: readonly Role[] = ['Owner']) {
  const emails = given.map((role) => `${role.toLowerCase()}@example.com`);
  const members = given.map((role, index) => aMember({ email: emails[index] ?? '', roles: [role] }));
  const project = await aProject(server.store, { members });
  const idOf = async (role: Role) => {
    const found = await server.store.members.list(project.projectId, { role }, 1, 0);
    const [member] = found.members;
    return member?.id ?? '';
  };
  return {
    ...project,
    idOf,
    /** The token of a new sign-in link. */
    link: async (role: Role) => ({ token: await linkFor(server.store, project.projectId, await idOf(role)) }),
    signIn: async (role: Role = 'Owner') => {
      const token = await linkFor(server.store, project.projectId, await idOf(role));
      const answer = await callsOf(server)('POST', '/sign-in/link', { token });
      const cookie = cookieOf(answer);
      return { cookie, call: callsOf(server, cookie), answer };
    },
  };
}

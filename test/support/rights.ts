import type { Role } from '../../src/members/member.ts';

/** The scopes that a role brings, as docs/console.md says. */
export const rightsOf: Record<Role, RegExp> = {
  Owner: /./,
  Admin: /^(?!ownership)/,
  Editor: /^chatbots:/,
  Analyst: /^(contacts:|chatbots:read)/,
  Agent: /^(contacts|chatbots):read/,
  Billing: /^project:read/,
  Viewer: /^chatbots:read/,
};

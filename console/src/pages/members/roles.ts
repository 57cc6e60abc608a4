import type { InviteMemberInput } from '../../types.ts';

export type GivenRole = InviteMemberInput['roles'][number];

const may: Record<GivenRole, string> = {
  Admin: 'Everything except transferring ownership and creating sign-in links for others',
  Editor: 'Creates and changes chatbots',
  Analyst: 'Reads, imports, changes and deletes contacts',
  Agent: 'Reads contacts',
  Billing: 'Sees the usage of the project',
  Viewer: 'Sees the chatbots',
};

/** The roles that can be given, with what they allow. */
export const givenRoles = Object.entries(may).map(([role, hint]) => [role as GivenRole, role, hint] as const);

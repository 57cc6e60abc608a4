import { read } from '../operation.ts';

/** When members were last seen, whether they have a passkey, and until when their invitations are good; only who has any of it. */
export const listMemberAccess = read({
  name: 'listMemberAccess',
  scope: 'members:read',
  run: async ({ signIn }, { projectId }) => ({ access: await signIn.listAccess(projectId) }),
});

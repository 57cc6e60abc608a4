import { read } from '../operation.ts';

export const listMemberAccess = read({
  name: 'listMemberAccess',
  scope: 'members:read',
  run: async ({ signIn }, { projectId }) => ({ access: await signIn.listAccess(projectId) }),
});

import { read } from '../operation.ts';
import { requireProject } from '../projects/require.ts';

export const listApiKeys = read({
  name: 'listApiKeys',
  scope: 'administration',
  run: async ({ apiKeys, projects }, { projectId }) => {
    await requireProject(projects, projectId);
    return { keys: await apiKeys.list(projectId) };
  },
});

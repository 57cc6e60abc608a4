import { read } from '../operation.ts';
import { requireProject } from '../projects/project.ts';

export const listChatbots = read({
  name: 'listChatbots',
  scope: 'chatbots:read',
  run: async ({ chatbots, projects }, { projectId }) => {
    await requireProject(projects, projectId);
    return chatbots.list(projectId);
  },
});

import { read } from '../operation.ts';

export const listProjects = read({
  name: 'listProjects',
  scope: null,
  run: ({ projects }) => projects.list(),
});

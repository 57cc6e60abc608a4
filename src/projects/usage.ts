import { read } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { unlimited } from './project.ts';
import type { Usage } from './store.ts';

const usageSchema = object(
  {
    used: { type: 'integer', format: 'int32', minimum: 0, maximum: unlimited, description: 'May be above max.' },
    max: {
      type: 'integer',
      format: 'int32',
      minimum: 0,
      maximum: unlimited,
      description: `${unlimited} where there is no limit.`,
    },
  },
  { title: 'Usage', description: 'How much of a limit is used.' },
);

const input = object({});

const usageOf = ({ used, max }: Usage = { used: 0, max: unlimited }) => ({ used, max });

export const retrieveUserSeats = read({
  name: 'retrieveUserSeats',
  scope: 'project:read',
  document: {
    tag: 'Project',
    summary: 'Retrieve the use of seats',
    description: 'How many members hold a seat, Active or Pending, the Owner included, and how many may.',
    answer: 'The use of seats.',
  },
  input,
  output: usageSchema,
  example: { used: 3, max: 10 },
  run: async ({ projects }, { projectId }) => usageOf(await projects.seats(projectId)),
});

export const retrieveChatbotUsage = read({
  name: 'retrieveChatbotUsage',
  scope: 'project:read',
  document: {
    tag: 'Project',
    summary: 'Retrieve the use of chatbots',
    description: 'How many chatbots the project has, and how many it may have.',
    answer: 'The use of chatbots.',
  },
  input,
  output: usageSchema,
  example: { used: 1, max: unlimited },
  run: async ({ projects }, { projectId }) => usageOf(await projects.chatbots(projectId)),
});

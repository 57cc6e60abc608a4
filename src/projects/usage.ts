import { type ReadOperation, read } from '../operation.ts';
import { object } from '../values/object-schema.ts';
import { unlimited } from './project.ts';
import type { ProjectReads, Usage } from './store.ts';

const count = { type: 'integer', format: 'int32', minimum: 0, maximum: unlimited } as const;

const usageSchema = object(
  {
    used: { ...count, description: 'May be above max.' },
    max: { ...count, description: `${unlimited} where there is no limit.` },
  },
  { title: 'Usage', description: 'How much of a limit is used.' },
);

type Declared = Readonly<{
  name: string;
  what: 'seats' | 'chatbots' | 'contacts';
  description: string;
  example: Usage;
}>;

const usageOf = ({ name, what, description, example }: Declared): ReadOperation<object, Usage> =>
  read({
    name,
    scope: 'project:read',
    document: { tag: 'Project', summary: `Retrieve the use of ${what}`, description, answer: `The use of ${what}.` },
    input: object({}),
    output: usageSchema,
    example,
    run: async ({ projects }: { projects: ProjectReads }, { projectId }) => {
      const { used, max } = (await projects[what](projectId)) ?? { used: 0, max: unlimited };
      return { used, max };
    },
  });

export const retrieveUserSeats = usageOf({
  name: 'retrieveUserSeats',
  what: 'seats',
  description: 'How many members hold a seat, Active or Pending, the Owner included, and how many may.',
  example: { used: 3, max: 10 },
});

export const retrieveChatbotUsage = usageOf({
  name: 'retrieveChatbotUsage',
  what: 'chatbots',
  description: 'How many chatbots the project has, and how many it may have.',
  example: { used: 1, max: unlimited },
});

export const retrieveContactUsage = usageOf({
  name: 'retrieveContactUsage',
  what: 'contacts',
  description:
    'How many contacts all chatbots of the project have together, without those in the bin, and how many they may have.',
  example: { used: 250, max: 10_000 },
});

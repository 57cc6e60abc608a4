import { textSchema } from '../values/field.ts';
import { idLengthMax } from '../values/identifier.ts';
import { object } from '../values/object-schema.ts';
import { inSeconds, timestampSchema } from '../values/timestamp.ts';

export const visibilities = ['private', 'public'] as const;
export type Visibility = (typeof visibilities)[number];

/** The id is unique in the project, not beyond it. */
export interface Chatbot {
  id: string;
  name: string;
  project_id: string;
  visibility: Visibility;
  /** A moment, by which lists are sorted; shown in whole seconds. */
  created_at: string;
  revision: number;
}

export interface CountedChatbot extends Chatbot {
  /** Its contacts, without those in the bin. */
  contact_count: number;
}

export const exampleChatbotId = '8839210412';

export type ChatbotView = ReturnType<typeof chatbotView>;

const version = '2.0';

export const chatbotIncludes = ['contact_count'] as const;
export type ChatbotInclude = (typeof chatbotIncludes)[number];

export const chatbotIncludeSchema = {
  type: 'array',
  items: { type: 'string', enum: chatbotIncludes },
  minItems: 1,
  maxItems: chatbotIncludes.length,
  uniqueItems: true,
  description: 'Keys to show beside the five: `contact_count` is the number of contacts.',
  examples: [['contact_count']],
} as const;

export function chatbotView(
  { id, name, visibility, created_at, contact_count }: Chatbot & Partial<CountedChatbot>,
  include: readonly ChatbotInclude[] = [],
) {
  const counted = include.includes('contact_count') && contact_count !== undefined;
  return { id, name, version, visibility, created_at: inSeconds(created_at), ...(counted && { contact_count }) };
}

export const chatbotIdSchema = textSchema(
  idLengthMax,
  'Opaque; ten decimal digits when Roster made it, anything when it came from elsewhere.',
  exampleChatbotId,
);

export const visibilitySchema = {
  type: 'string',
  enum: visibilities,
  description: 'Private unless it was changed.',
  examples: ['private'],
} as const;

export const nameSchema = textSchema(255, 'Its display name.', 'Front desk');

export const chatbotSchema = object(
  {
    id: chatbotIdSchema,
    name: nameSchema,
    version: { type: 'string', enum: [version], description: 'Always 2.0.' },
    visibility: visibilitySchema,
    created_at: timestampSchema,
  },
  {
    title: 'Chatbot',
    description: 'A chatbot of the project; it owns contacts.',
    optional: {
      contact_count: {
        type: 'integer',
        format: 'int32',
        minimum: 0,
        maximum: 2_147_483_647,
        description: 'Its contacts, without those in the bin; only where `include` asks for it.',
      },
    },
  },
);

export const exampleChatbot = {
  id: exampleChatbotId,
  name: 'Front desk',
  version,
  visibility: 'private',
  created_at: '2024-06-08T13:38:33+00:00',
} as const;

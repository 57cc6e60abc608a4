import type { XStatic } from 'typebox/schema';

import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { invalid } from '../validation.ts';
import { idSchema } from '../values/field.ts';
import { firstFrom, objectionsToTimes, timeSchema } from '../values/time-bound.ts';
import type { EventConditions } from './event.ts';
import { eventPatterns, typesOf } from './patterns.ts';

const typesMax = 100;

export const actorTypes = ['key', 'member', 'operator', 'job'] as const;

export const filterProperties = {
  type: {
    type: 'array',
    items: { type: 'string', enum: eventPatterns },
    minItems: 1,
    maxItems: typesMax,
    description:
      'Only events of these types, separated by commas or by repeating the parameter. `contact.*` means all that begin with `contact.`.',
    examples: [['contact.*', 'member.invited']],
  },
  chatbot_id: { ...chatbotIdSchema, description: 'Only events about this chatbot or its contacts.' },
  actor_type: { type: 'string', enum: actorTypes, description: 'Only what such actors did.', examples: ['member'] },
  actor_id: {
    ...idSchema,
    description: 'Only what this key, member, job or user of the command line did; `cli` means every such user.',
    examples: ['0198f1b2-5a0c-7b1d-8e4f-2c9d7a6b5e31'],
  },
  contact_id: {
    ...idSchema,
    description: 'Only events about this contact, alone or among others.',
    examples: ['qtr89df0-112d-d197-b541-3f8674663246'],
  },
  member_id: {
    ...idSchema,
    description: 'Only events about this member, alone or among others.',
    examples: ['0199e2a4-7d1e-7cc3-9a53-5c7d1f2e8a90'],
  },
  occurred_after: timeSchema('Only events of this time or later.'),
  occurred_before: {
    ...timeSchema('Only events earlier than this time.'),
    examples: ['2026-06-08T13:38:33+00:00'],
  },
} as const;

export type Filter = {
  readonly [Name in keyof typeof filterProperties]?: XStatic<(typeof filterProperties)[Name]> | undefined;
};

export function requireTimes(filter: Filter): void {
  const errors = objectionsToTimes(filter, ['occurred_after', 'occurred_before']);
  if (errors.length > 0) throw invalid(errors);
}

export function conditionsIn(filter: Filter): EventConditions {
  const { occurred_after: from, occurred_before: before } = filter;
  return {
    types: typesOf(filter.type ?? []),
    chatbotId: filter.chatbot_id,
    actorType: filter.actor_type,
    actorId: filter.actor_id,
    contactId: filter.contact_id,
    memberId: filter.member_id,
    occurredFrom: from === undefined ? undefined : firstFrom(from),
    occurredBefore: before === undefined ? undefined : firstFrom(before),
  };
}

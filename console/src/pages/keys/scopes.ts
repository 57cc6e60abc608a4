import type { Scope } from '../../types.ts';

const scopes: Record<Scope, string> = {
  'contacts:read': 'Read contacts',
  'contacts:write': 'Change contacts',
  'chatbots:read': 'Read chatbots',
  'chatbots:write': 'Change chatbots',
  'members:read': 'Read members',
  'members:write': 'Change members',
  'project:read': 'Read the project and its usage',
  'project:write': 'Change the project',
  'events:read': 'Read events',
  'webhooks:read': 'Read webhooks',
  'webhooks:write': 'Change webhooks',
};
export const scopeChoices = Object.entries(scopes) as [Scope, string][];

export const presets = {
  'CRM sync': ['contacts:read', 'contacts:write', 'chatbots:read', 'events:read'],
  'Read only': scopeChoices.map(([scope]) => scope).filter((scope) => scope.endsWith(':read')),
  Assistant: ['contacts:read', 'chatbots:read'],
  Custom: [],
} satisfies Record<string, Scope[]>;
export type Preset = keyof typeof presets;

/** What a key may do, in the words of the dialog. */
export function wordsOf(chosen: readonly Scope[]): string {
  if (chosen.length === scopeChoices.length) return 'Everything';
  const [first = '', ...more] = scopeChoices.filter(([scope]) => chosen.includes(scope)).map(([, words]) => words);
  return [first, ...more.map((words) => words.charAt(0).toLowerCase() + words.slice(1))].join(', ');
}

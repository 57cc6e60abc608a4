import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import { AppError } from '../errors.ts';
import type { Change } from '../events/event.ts';
import { write } from '../operation.ts';
import { invalid, validate } from '../validation.ts';
import { giveWay } from '../values/give-way.ts';
import { formatTimestamp } from '../values/timestamp.ts';
import {
  bulkDocument,
  bulkInput,
  type BulkItem,
  bulkOutput,
  exampleResults,
  itemErrors,
  type ItemResult,
} from './bulk-items.ts';
import { change, type ContactChange, keysFor } from './changing.ts';
import { costOf } from './cost.ts';
import { besideMatch, propertiesOf, propertiesSchema } from './properties.ts';
import { openWorkingSet } from './working-set.ts';

export interface BulkInput {
  chatbotId: string;
  items: readonly BulkItem[];
}

export interface BulkOutput {
  succeeded: number;
  failed: number;
  results: ItemResult[];
}

const counted = { ofRequest: 25, within: ['properties', 'match'] };

export const bulkContacts = write({
  name: 'bulkContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  cost: ({ items }: BulkInput) => costOf(items, counted),
  document: bulkDocument,
  input: { ...bulkInput, properties: { chatbotId: chatbotIdSchema, ...bulkInput.properties } },
  check: ({ items }: BulkInput) => {
    const errors = items.flatMap(itemErrors);
    if (errors.length > 0) throw invalid(errors.slice(0, 20));
  },
  output: bulkOutput,
  errors: ['not_found'],
  example: { succeeded: 2, failed: 0, results: exampleResults },
  repeat: {
    keep: ({ results }: BulkOutput) => results.map(withoutContent),
    render: async (_reads, _actor, kept: ItemResult[], { items }: BulkInput) => summed(await inFull(kept, items)),
  },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, items }: BulkInput) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const at = formatTimestamp(new Date());
    const given: (ContactChange | AppError)[] = [];
    for (const item of items) {
      await giveWay();
      given.push(await attempt(() => checked(item)));
    }
    const keys = given.flatMap((one) => (one instanceof AppError ? [] : keysFor(one)));
    const set = await openWorkingSet(contacts, { projectId, chatbotId }, keys);
    const results: ItemResult[] = [];
    for (const [index, one] of given.entries()) {
      await giveWay();
      const done = one instanceof AppError ? one : await attempt(() => change(set, one, at));
      if (done instanceof AppError) results.push(failed(index, done));
      else results.push({ index, outcome: done.outcome, id: done.contact.id });
    }
    await set.flush();
    return { output: summed(results), changes: changesOf(chatbotId, results, set.removal()) };
  },
});

/** An AppError fails only its item. */
async function attempt<T>(work: () => T | Promise<T>): Promise<T | AppError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable' && error.code !== 'outcome_unknown') return error;
    throw error;
  }
}

const itemSchema = { type: 'object', properties: { properties: propertiesSchema } };

async function checked({ op, id, match, properties = {} }: BulkItem): Promise<ContactChange> {
  await validate(itemSchema, { properties });
  const named = id === undefined ? match : { id };
  const own = propertiesOf(properties);
  return named === undefined ? { op, properties: own } : { op, match: named, properties: besideMatch(own, named) };
}

function failed(index: number, { code, message, errors }: AppError): ItemResult {
  const result = { index, outcome: 'failed' } as const;
  if (code !== 'invalid') return { ...result, code, message };
  return { ...result, code: 'validation_failed', message, errors: errors ?? [] };
}

function summed(results: ItemResult[]): BulkOutput {
  const failures = results.filter(({ outcome }) => outcome === 'failed').length;
  return { succeeded: results.length - failures, failed: failures, results };
}

const ownNames = /^properties(?:\.[a-z_]+)?/;
const known = new Set([
  'properties',
  ...Object.keys(propertiesSchema['properties'] as object).map((one) => `properties.${one}`),
]);

/** A field whose name came from the caller may be about somebody. */
function withoutContent(result: ItemResult): ItemResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const [own = ''] = ownNames.exec(error.field) ?? [];
    return { ...error, field: known.has(own) ? own : 'properties' };
  });
  return { ...result, errors };
}

/** Restores the error messages that were not stored: the same request fails the same way again. */
async function inFull(kept: readonly ItemResult[], items: readonly BulkItem[]): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const one of kept) {
    await giveWay();
    const item = one.errors && items[one.index];
    const again = item && (await attempt(() => checked(item)));
    results.push(again instanceof AppError ? failed(one.index, again) : one);
  }
  return results;
}

function changesOf(chatbotId: string, results: readonly ItemResult[], removal: 'deleted' | 'purged'): Change[] {
  const types = { created: 'contact.created', updated: 'contact.updated', deleted: `contact.${removal}` } as const;
  return Object.entries(types).flatMap(([outcome, type]): Change[] => {
    const ids = new Set(results.flatMap((one) => (one.outcome === outcome ? (one.id ?? []) : [])));
    return ids.size === 0 ? [] : [{ type, chatbot_id: chatbotId, contact_ids: [...ids] }];
  });
}

import type { XStatic } from 'typebox/schema';

import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { AppError } from '../errors.ts';
import { write } from '../operation.ts';
import { invalid, propertiesOf, validate } from '../validation.ts';
import { giveWay } from '../values/give-way.ts';
import { object } from '../values/object-schema.ts';
import {
  bulkDocument,
  type BulkItem,
  bulkOutput,
  exampleResults,
  itemErrors,
  type ItemResult,
  itemsSchema,
} from './bulk-items.ts';
import { changeContacts } from './change/change.ts';
import type { Change } from './change/given.ts';
import { changeOf } from './change/set.ts';
import { costOf } from './cost.ts';
import { propertiesSchema } from './properties.ts';

export type BulkOutput = XStatic<typeof bulkOutput>;

const counted = { ofRequest: 25, within: ['properties', 'match'] };

export const bulkContacts = write({
  name: 'bulkContacts',
  scope: 'contacts:write',
  queue: 'chatbot',
  cost: ({ items }) => costOf(items, counted),
  document: bulkDocument,
  input: object({ chatbotId: chatbotIdSchema, items: itemsSchema }),
  check: ({ items }) => {
    const errors = items.flatMap(itemErrors);
    if (errors.length > 0) throw invalid(errors.slice(0, 20));
  },
  output: bulkOutput,
  errors: ['not_found'],
  example: { succeeded: 2, failed: 0, results: exampleResults },
  repeat: {
    keep: ({ results }: BulkOutput) => results.map(withoutContent),
    render: async (_reads, _actor, kept, { items }) => summed(await inFull(kept, items)),
  },
  run: async ({ chatbots, contacts }, { projectId }, { chatbotId, items }) => {
    await requireChatbot(chatbots, projectId, chatbotId);
    const given: (Change | AppError)[] = [];
    for (const item of items) {
      await giveWay();
      given.push(await checked(item));
    }
    const { decided, events } = await changeContacts(contacts, { projectId, chatbotId }, given);
    const results = decided.map((one, index): ItemResult => {
      if (one instanceof AppError) return failed(index, one);
      return { index, outcome: one.outcome === 'restored' ? 'created' : one.outcome, id: one.after.id };
    });
    return { output: summed(results), changes: events };
  },
});

const itemSchema = { type: 'object', properties: { properties: propertiesSchema } };

async function checked({ op, id, match, properties = {} }: BulkItem): Promise<Change | AppError> {
  try {
    await validate(itemSchema, { properties });
    return changeOf(op, id === undefined ? match : { id }, properties);
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}

function failed(index: number, { code, message, errors, mergedInto }: AppError): ItemResult {
  const result = { index, outcome: 'failed' } as const;
  const into = mergedInto && { merged_into: mergedInto.contactId };
  if (code !== 'invalid') return { ...result, code, message, ...into };
  return { ...result, code: 'validation_failed', message, errors: [...(errors ?? [])] };
}

function summed(results: ItemResult[]): BulkOutput {
  const failures = results.filter(({ outcome }) => outcome === 'failed').length;
  return { succeeded: results.length - failures, failed: failures, results };
}

const known = new Set(Object.keys(propertiesOf(propertiesSchema)));

/** A field whose name came from the caller may be about somebody. */
function withoutContent(result: ItemResult): ItemResult {
  if (!result.errors) return result;
  const errors = result.errors.map((error) => {
    const [, name = ''] = /^properties\.([a-z_]+)/.exec(error.field) ?? [];
    return { ...error, field: known.has(name) ? `properties.${name}` : 'properties' };
  });
  return { ...result, errors };
}

/** Restores the error messages that were not stored: the same request fails the same way again. */
async function inFull(kept: readonly ItemResult[], items: readonly BulkItem[]): Promise<ItemResult[]> {
  const results: ItemResult[] = [];
  for (const one of kept) {
    await giveWay();
    const item = one.errors && items[one.index];
    const again = item && (await checked(item));
    results.push(again instanceof AppError ? failed(one.index, again) : one);
  }
  return results;
}

import { requireScope } from '../actor.ts';
import { chatbotIdSchema } from '../chatbots/chatbot.ts';
import { requireChatbot } from '../chatbots/require.ts';
import { conflictPolicies, type ConflictPolicy, type Met, type Outcome, type Row, type Warning } from '../imports.ts';
import { write } from '../operation.ts';
import { type JsonSchema, object } from '../values/object-schema.ts';
import { keyHash, keysOf } from './change/keys.ts';
import type { WorkingSet } from './change/working-set.ts';
import { contactColumns } from './columns.ts';
import { contactIdSchema, type StoredContact, unknownContact } from './contact.ts';
import { costOf } from './cost.ts';
import { type ContactDraft, contactReader, type ContactTexts } from './draft.ts';
import { rowKeys } from './import-keys.ts';
import { importRows } from './import.ts';

/** A row of a file as its columns were read; `earlier` are its texts as an earlier version would have read them. */
export interface GivenRow {
  line: number;
  digest: string;
  texts: ContactTexts;
  values?: Record<string, unknown>;
  earlier?: ContactTexts;
}

export type Remembered = Omit<Met, 'isNew'>;

export interface RowsToImport {
  chatbotId: string;
  on_conflict: ConflictPolicy;
  dry_run: boolean;
  rows: readonly GivenRow[];
  remembered?: readonly Remembered[];
  planned?: readonly StoredContact[];
  /** How many contacts earlier batches of a dry run would have added. */
  created?: number;
}

/** A caller sends `met` and `planned` again with later rows that they concern: those with one of `keys`, as hashes. */
export interface ImportedRows {
  outcomes: readonly Outcome[];
  warnings: readonly Warning[];
  met: readonly (Remembered & { keys: readonly string[] })[];
  planned: readonly StoredContact[];
}

const rowsMax = 1_000;
/** A row may mean, by its keys, more than one person of earlier batches. */
const rememberedMax = 5_000;

const line = { type: 'integer', minimum: 0 };
const digest = { type: 'string', pattern: '^2:[\\w-]{43}$' };
const texts: JsonSchema = {
  type: 'object',
  propertyNames: { enum: Object.keys(contactColumns), description: 'must be a field' },
  additionalProperties: { type: 'string' },
};

const rowSchema = object({ line, digest, texts }, { optional: { values: { type: 'object' }, earlier: texts } });

const rememberedSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: object({ id: contactIdSchema, line, digests: { type: 'array', items: digest } }),
};

const textOrNull = { type: ['string', 'null'] };

const plannedSchema = {
  type: 'array',
  maxItems: rememberedMax,
  items: object({
    ...Object.fromEntries(Object.keys(unknownContact).map((name) => [name, textOrNull])),
    id: contactIdSchema,
    created_at: { type: 'string' },
    revision: { type: 'integer' },
    attributes: { type: 'object', additionalProperties: { type: ['string', 'number', 'boolean'] } },
    tags: { type: 'array', items: { type: 'string' } },
  }),
};

const counted = { ofRequest: 100, within: ['texts', 'values'] };

export const importContactRows = write({
  name: 'importContactRows',
  scope: 'contacts:write',
  queue: 'chatbot',
  cost: ({ rows }: RowsToImport) => costOf(rows, counted),
  input: object(
    {
      chatbotId: chatbotIdSchema,
      on_conflict: { type: 'string', enum: conflictPolicies },
      dry_run: { type: 'boolean' },
      rows: { type: 'array', minItems: 1, maxItems: rowsMax, items: rowSchema },
    },
    { optional: { remembered: rememberedSchema, planned: plannedSchema, created: { type: 'integer', minimum: 0 } } },
  ),
  errors: ['not_found'],
  run: async (unit, actor, input: RowsToImport) => {
    // It tells whom the rows met.
    requireScope(actor, 'contacts:read');
    const owner = { projectId: actor.projectId, chatbotId: input.chatbotId };
    await requireChatbot(unit.chatbots, owner.projectId, owner.chatbotId);
    const checked = input.rows.map(toRow);
    const rows = checked.filter((row) => 'draft' in row);
    const told = (input.remembered ?? []).map(
      ({ id, line, digests }) => [id, { line, digests: new Set(digests) }] as const,
    );
    const { on_conflict: policy, dry_run: isDry } = input;
    const planned = isDry ? (input.planned ?? []) : [];
    const created = isDry ? (input.created ?? 0) : 0;
    const batch = { mode: 'complete', rows, policy, isDry, earlier: new Map(told), planned, created } as const;
    const { imported, ids, set, changes } = await importRows(unit, owner, batch);
    const next = imported.outcomes.values();
    const outcomes = checked.map((row): Outcome => ('draft' in row ? (next.next().value ?? { refused: '' }) : row));
    const keys = keysById(rows, ids, set);
    const met = imported.met.map(({ id, line, digests }) => {
      return { id, line, digests, keys: [...(keys.get(id) ?? [])].map(keyHash) };
    });
    const people = imported.planned.map(({ person }) => person);
    return { output: { outcomes, warnings: imported.warnings, met, planned: people }, changes };
  },
});

function keysById(
  rows: readonly Row<ContactDraft>[],
  ids: readonly (string | undefined)[],
  set: WorkingSet,
): Map<string, Set<string>> {
  const keys = new Map(set.changed().map((one) => [one.id, new Set(one.keys)]));
  for (const [index, row] of rows.entries()) {
    const contact = set.get(ids[index] ?? '');
    if (contact) keys.set(contact.id, (keys.get(contact.id) ?? new Set(keysOf(contact))).union(rowKeys(row)));
  }
  return keys;
}

/** The page has checked the row by the same rules, unless it is of another version. */
function toRow({ line, digest, texts, values, earlier }: GivenRow): Row<ContactDraft> | { refused: string } {
  const draft = contactReader.draft({ texts, ...(values && { values }) }, earlier);
  return 'objections' in draft ? { refused: draft.objections.join('; ') } : { line, draft, digest };
}

import { requireScope } from '../actor.ts';
import { chatbotIdSchema, requireChatbot } from '../chatbots/chatbot.ts';
import { type ConflictPolicy, conflictPolicies, decide, type Outcome, type Row, type Warning } from '../imports.ts';
import { write } from '../operation.ts';
import type { StoredContact } from './contact.ts';
import { costOf } from './cost.ts';
import type { ContactDraft, ContactTexts } from './draft.ts';
import { contactKeys } from './import-keys.ts';
import { plannedSchema, rememberedSchema, rowSchema, rowsMax } from './import-rows-schema.ts';
import { storeBatch } from './import.ts';
import { contactMatching } from './matching.ts';
import { contactReader } from './reader.ts';
import { type Met, type Remembered, toldMemory } from './told-memory.ts';

/** A row of a file as its columns were read; `earlier` are its texts as an earlier version would have read them. */
export interface GivenRow {
  line: number;
  digest: string;
  texts: ContactTexts;
  values?: Record<string, unknown>;
  earlier?: ContactTexts;
}

export interface RowsToImport {
  chatbotId: string;
  on_conflict: ConflictPolicy;
  dry_run: boolean;
  rows: readonly GivenRow[];
  /** Answers of earlier batches about the people of these rows. */
  remembered?: readonly Remembered[];
  /** The ones among them that a dry run would have stored. */
  planned?: readonly StoredContact[];
}

/** `met` and `planned` are for the caller to tell with a later batch. */
export interface ImportedRows {
  outcomes: readonly Outcome[];
  warnings: readonly Warning[];
  met: readonly Met[];
  planned: readonly StoredContact[];
}

const counted = { ofRequest: 100, within: ['texts', 'values'] };

/** A batch of rows that a page has read of a file: it checks and decides them as an import by command line does. */
export const importContactRows = write({
  name: 'importContactRows',
  scope: 'contacts:write',
  queue: 'chatbot',
  cost: ({ rows }: RowsToImport) => costOf(rows, counted),
  input: {
    type: 'object',
    additionalProperties: false,
    required: ['chatbotId', 'on_conflict', 'dry_run', 'rows'],
    properties: {
      chatbotId: chatbotIdSchema,
      on_conflict: { type: 'string', enum: conflictPolicies },
      dry_run: { type: 'boolean' },
      rows: { type: 'array', minItems: 1, maxItems: rowsMax, items: rowSchema },
      remembered: rememberedSchema,
      planned: plannedSchema,
    },
  },
  errors: ['not_found'],
  run: async (unit, actor, input: RowsToImport) => {
    // It tells whom the rows met.
    requireScope(actor, 'contacts:read');
    const { projectId } = actor;
    const { chatbotId, on_conflict: policy, dry_run: isDry, rows: given } = input;
    await requireChatbot(unit.chatbots, projectId, chatbotId);
    const checked = given.map(toRow);
    const rows = checked.filter((row) => 'draft' in row);
    const memory = toldMemory(input.remembered ?? [], isDry ? (input.planned ?? []) : []);
    let decided: readonly Outcome[] = [];
    let warnings: readonly Warning[] = [];
    let met: readonly Met[] = [];
    const changes = await storeBatch(unit, projectId, {
      chatbotId,
      keys: rows.flatMap(({ draft }) => contactKeys(draft)),
      decide: (stored) => {
        const decision = decide(rows, contactMatching(), policy, stored, memory);
        ({ outcomes: decided, warnings } = decision);
        met = memory.met(rows, stored);
        return isDry ? [] : decision.writes;
      },
    });
    const next = decided.values();
    const outcomes = checked.map((row): Outcome => ('draft' in row ? (next.next().value ?? { refused: '' }) : row));
    return { output: { outcomes, warnings, met, planned: isDry ? memory.decided() : [] }, changes };
  },
});

/** The page has checked the row by the same rules, unless it is of another version. */
function toRow({ line, digest, texts, values, earlier }: GivenRow): Row<ContactDraft> | { refused: string } {
  const draft = contactReader.draft({ texts, ...(values && { values }) }, digest, earlier);
  return 'objections' in draft ? { refused: draft.objections.join('; ') } : { line, draft, digest };
}

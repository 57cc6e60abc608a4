import type { Account, Rejection } from '../../files/account.ts';
import type { Picked } from '../../files/cells.ts';
import { likelyOptions, mapOptions } from '../../files/column-check.ts';
import type { FoundColumns } from '../../files/column-planner.ts';
import { isPlace, type KnownColumns, type OpenFields } from '../../files/columns.ts';
import { isAboutSomebody, plainHeading, whichHeading } from '../../files/headings.ts';
import type { Reading } from '../../files/reading.ts';
import { linesIn, openTally, type TalliedMessage } from '../../files/tally.ts';
import type { UniqueColumns } from '../../files/unique-columns.ts';
import { listing, note, printResult } from '../output.ts';
import type { ImportFlags } from './import-options.ts';

const rejectionsShown = 5;
const peopleShown = 3;
const suggestionsShown = 3;

/** Reports an import on the way and at its end. `clear` removes the progress bar. */
export function importReport(flags: ImportFlags, clear: () => void, { open, needed }: KnownColumns<string>) {
  const people: string[] = [];
  const [rejected, dropped, warned] = [openTally(), openTally(), openTally()];
  let count = 0;
  return {
    onColumns: columnNotes(needed.flat(), flags.keepColumns === true ? open : undefined, flags.leaveOut ?? [], clear),
    onDropped: dropped.add,
    onWarned: warned.add,
    onMapped: (line: number, { texts, values }: Picked<string>) => {
      if (flags.dryRun === true && people.length < peopleShown)
        people.push(`line ${line}\n${indented(listing({ ...texts, ...values }))}`);
    },
    onRejected: (line: number, reasons: readonly Rejection[]) => {
      for (const { kind } of reasons) rejected.add(line, kind);
      if (++count > rejectionsShown) return;
      clear();
      note(`line ${line}: ${reasons.map(({ reason }) => reason).join('; ')}`);
    },
    end: (account: Account, { unique, encoding }: Pick<Reading<never>, 'unique' | 'encoding'>, again: string) => {
      const rest = count - rejectionsShown;
      const isKept = flags.rejects !== undefined;
      if (rest > 0) note(`and ${rest} more rows rejected${isKept ? '' : '; see them all with --rejects FILE'}`);
      noteUnique(unique());
      noteGuess(encoding(), flags);
      const [leftOut, warnings] = [dropped.told(), warned.told()];
      if (leftOut.length > 0) note(`left out by --lenient:\n${tallied(leftOut, true)}`);
      if (warnings.length > 0) note(`warnings:\n${tallied(warnings, true)}`);
      if (people.length > 0) note(`the first people, as they are read:\n${indented(people.join('\n'))}`);
      if (flags.dryRun === true) note('Dry run: nothing was stored.');
      if (isKept && count > 0) note(`Mend the rows in ${flags.rejects}, and run: ${again}`);
      const reasons = count > 0 ? `reasons:\n${tallied(rejected.told(), false)}` : undefined;
      if (flags.json === true && reasons !== undefined) note(reasons);
      const result = { ...account, encoding: encoding(), left_out: leftOut, warnings };
      printResult(result, flags, () => {
        const counts = listing({ ...account, encoding: encoding() });
        return reasons === undefined ? counts : `${counts}\n${reasons}`;
      });
    },
  };
}

function tallied(all: readonly TalliedMessage[], hasLines: boolean): string {
  const width = String(all[0]?.count ?? '').length;
  const told = all.map(({ message, count, lines }) => {
    return `${String(count).padStart(width)} × ${message}${hasLines ? ` (${linesIn(lines)})` : ''}`;
  });
  return indented(told.join('\n'));
}

function noteGuess(encoding: string, flags: ImportFlags): void {
  if (flags.encoding !== undefined || encoding !== 'windows-1252') return;
  note(`Read as ${encoding}, which is a guess; if letters are wrong, name the encoding with --encoding.`);
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '  ');
}

function columnNotes(
  needed: readonly string[],
  open: OpenFields | undefined,
  unwanted: readonly string[],
  clear: () => void,
) {
  const isUnwanted = new Set(unwanted.map(plainHeading));
  const told = new Set<string>();
  const tell = (line: string) => {
    if (!told.has(line)) note(line);
    told.add(line);
  };
  return ({ headings, columns: { sources, leftOut }, missing }: FoundColumns) => {
    clear();
    for (const [field, all] of sources) {
      const names = all.map((parts) =>
        parts
          .filter(isPlace)
          .map((place) => whichHeading(headings, place))
          .join(' + '),
      );
      tell(`${field} <- ${names.join(', else ')}`);
    }
    for (const { field, heading } of missing) tell(`${field}: no object has "${heading}"`);
    const fresh = leftOut.filter((place) => !told.has(`left out ${place}`));
    for (const place of fresh) told.add(`left out ${place}`);
    const why = (heading: string) =>
      isUnwanted.has(plainHeading(heading)) ? ', as told' : whyNot(heading, sources, open);
    for (const [reason, places] of Map.groupBy(fresh, (place) => why(headings[place] ?? ''))) {
      note(`left out${reason}: ${places.map((place) => whichHeading(headings, place)).join(', ')}`);
    }
    const without = needed.filter((field) => !sources.has(field));
    const options = likelyOptions(
      without,
      leftOut.map((place) => headings[place] ?? '').filter((heading) => !isUnwanted.has(plainHeading(heading))),
    );
    if (options.length > 0) tell(`did you mean ${options.slice(0, suggestionsShown).join('? Or ')}?`);
  };
}

/** Why no open field keeps the column; nothing where none was to. */
function whyNot(heading: string, sources: ReadonlyMap<string, unknown>, open: OpenFields | undefined): string {
  if (!open) return '';
  const name = isAboutSomebody(heading) ? undefined : open.nameOf(heading);
  if (name === undefined) return `, as no attribute can be called so (name it with --map ${open.prefix}NAME=HEADING)`;
  if (sources.has(`${open.prefix}${name}`)) return ', as another column has the name';
  return `, as a contact has at most ${open.max} attributes (choose with --map ${open.prefix}NAME=HEADING)`;
}

function noteUnique({ rows, headings }: UniqueColumns): void {
  const options = mapOptions('id', headings).slice(0, suggestionsShown);
  if (options.length === 0) return;
  note(
    `No row has an id or an e-mail address, so a row that changes later makes a new person. An id prevents that; each of ${rows} rows has another value here: ${options.join(' or ')}`,
  );
}

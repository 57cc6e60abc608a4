const charactersOfRequest = 25_000;
const indexed = 'name first_name last_name email phone company company_name job_title external_id tags'.split(' ');

/** The cost of a list in requests: by its length, or by the characters to index in these members. It may be invalid. */
export function costOf(list: unknown, { ofRequest, within }: { ofRequest: number; within: readonly string[] }): number {
  if (!Array.isArray(list)) return 1;
  const things = list.flatMap((thing: unknown) => membersOf(thing, within));
  const characters = things.flatMap((thing) => membersOf(thing, indexed)).reduce<number>(addCharacters, 0);
  return Math.max(Math.ceil(list.length / ofRequest), Math.ceil(characters / charactersOfRequest));
}

function membersOf(thing: unknown, names: readonly string[]): unknown[] {
  if (typeof thing !== 'object' || thing === null) return [];
  return names.map((name) => (thing as Record<string, unknown>)[name]);
}

function addCharacters(sum: number, value: unknown): number {
  if (typeof value === 'string') return sum + Array.from(value).length;
  const parts = Array.isArray(value) ? value : membersOf(value, ['add']);
  return parts.reduce<number>(addCharacters, sum);
}

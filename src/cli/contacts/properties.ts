import { attributeNamePattern, type GivenProperties, propertiesSchema } from '../../contacts/properties.ts';
import { AppError } from '../../errors.ts';
import { isObject, parsedJson } from '../../values/json-text.ts';
import { nearest } from '../../values/nearest.ts';
import { trimmed } from '../../values/text.ts';
import { UsageError } from '../failures.ts';
import { type Flags, option, repeated } from '../parts.ts';
import { readShort } from '../short-input.ts';

export type PropertyFlags = Flags<{
  set?: string[];
  unset?: string[];
  addTag?: string[];
  removeTag?: string[];
  properties?: string;
}>;

const propertyNames = Object.keys(propertiesSchema['properties'] as object);
const words = [...propertyNames.filter((name) => name !== 'attributes'), 'attributes.NAME'];
export const propertyLists = { Properties: words };

const fileCharactersMax = 1_048_576;
const attributeName = new RegExp(attributeNamePattern, 'u');

export const setOptions = [
  repeated('--set <name=value>', 'a property, such as email=ana@example.com; may be repeated'),
  option(
    '--properties <file>',
    'all of them as a JSON object, the one that stands in "properties" over HTTP; - is stdin, which no other user sees',
  ),
];

export const changeOptions = [
  ...setOptions,
  repeated('--unset <name>', 'clear a property, such as phone or attributes.party; may be repeated'),
  repeated('--add-tag <tag>', 'add a tag: 1 to 40 characters without , ; and |; may be repeated'),
  repeated('--remove-tag <tag>', 'remove a tag; may be repeated'),
];

/** The properties that the flags say. Throws UsageError, which repeats no value. */
export async function readProperties(flags: PropertyFlags): Promise<GivenProperties> {
  const { set = [], unset = [], addTag = [], removeTag = [], properties: file } = flags;
  const isNothing = [...set, ...unset, ...addTag, ...removeTag].length === 0;
  if (file !== undefined && isNothing) return readObject(file);
  if (file !== undefined) throw new UsageError('--properties names all properties; leave out the other options.');
  if (isNothing) throw new UsageError('There is nothing to write; give --set, such as --set name="Ana Ferreira".');
  const written = new Map([
    ...set.map(parseSet),
    ...unset.map((name) => [requireName('--unset', name.trim()), null] as const),
  ]);
  if (written.size < set.length + unset.length) throw new UsageError('A property is given twice; give each once.');
  if (written.has('tags') && addTag.length + removeTag.length > 0) {
    throw new UsageError('--set tags and --unset tags replace all tags; leave out --add-tag and --remove-tag.');
  }
  const attributes = [...written].filter(([name]) => name.startsWith(attributePrefix));
  if (written.has('attributes') && attributes.length > 0) {
    throw new UsageError('--unset attributes clears them all; leave out the single ones.');
  }
  const others = [...written].filter(([name]) => !name.startsWith(attributePrefix));
  const single = attributes.map(([name, value]) => [name.slice(attributePrefix.length), value] as const);
  return {
    ...Object.fromEntries(others),
    ...(single.length > 0 && { attributes: Object.fromEntries(single) }),
    ...(addTag.length + removeTag.length > 0 && { tags: { add: cleaned(addTag), remove: cleaned(removeTag) } }),
  } as GivenProperties;
}

const attributePrefix = 'attributes.';
const cleaned = (tags: readonly string[]) => tags.map((tag) => tag.trim());
type Entry = readonly [name: string, value: string | string[] | null];

function parseSet(given: string): Entry {
  const end = given.indexOf('=');
  if (end < 1) throw new UsageError('--set takes NAME=VALUE, such as --set email=ana@example.com.');
  const name = requireName('--set', given.slice(0, end).trim());
  if (name === 'attributes') throw new UsageError('--set names one attribute, such as --set attributes.party=Liberal.');
  const value = given.slice(end + 1).trim() || null;
  return [name, name === 'tags' && value !== null ? cleaned(value.split(',')) : value];
}

function requireName(option: string, name: string): string {
  if (propertyNames.includes(name)) return name;
  if (name.startsWith(attributePrefix)) {
    if (attributeName.test(name.slice(attributePrefix.length))) return name;
    throw new UsageError(
      `${option}: the name of an attribute is 1 to 40 of a-z, 0-9 and _, and begins with a letter, such as attributes.party.`,
    );
  }
  // A value may stand where the name belongs.
  const shown = /^[a-z_-]{1,20}$/i.test(name) ? `"${name}" is no property` : 'this is no property';
  const near = nearest(name.toLowerCase().replaceAll('-', '_'), propertyNames);
  const hint = near === undefined ? `there are ${words.join(', ')}` : `did you mean ${near}?`;
  throw new UsageError(`${option}: ${shown}; ${hint.replace(/(?<!\?)$/, '.')}`);
}

async function readObject(file: string): Promise<GivenProperties> {
  const text = await readShort(file, 'a contact', fileCharactersMax, '--properties');
  const value = trimmed(parsedJson(text));
  if (isObject(value) && !Array.isArray(value)) {
    if (!('properties' in value)) return value;
    const message = '--properties takes the object inside "properties", such as {"email":"ana@example.com"}';
    throw new AppError('invalid', message);
  }
  throw new AppError('invalid', '--properties must hold a JSON object, such as {"email":"ana@example.com"}.');
}

export function propertyOptionOf({ properties }: PropertyFlags, field: string): string | undefined {
  if (field === 'properties') return 'what is written';
  if (!field.startsWith('properties.')) return undefined;
  const path = field.slice('properties.'.length);
  if (properties !== undefined) return `--properties: ${path}`;
  if (path.startsWith('tags.add')) return '--add-tag';
  if (path.startsWith('tags.remove')) return '--remove-tag';
  return `--set ${path.startsWith('tags') ? 'tags' : path}`;
}

import { emailLengthMax, emailSchemaPattern, objectionToEmail } from './email.ts';
import { idLengthMax, objectionToText } from './text.ts';

const websiteLengthMax = 2048;

const plainWebsitePattern = /^https?:\/\/(?:[a-z][a-z\d]*\.)+[a-z]+(?:\/[\w./~-]*)?$/i;

export function objectionToWebsite(text: string): string | undefined {
  if (plainWebsitePattern.test(text)) return objectionToText(text, websiteLengthMax);
  const hasScheme = /^https?:\/\//i.test(text);
  const url = URL.parse(hasScheme ? text : `https://${text}`);
  if (!url || /\s/.test(text) || (!hasScheme && !isBareHost(text, url))) return 'is not a web address';
  return objectionToText(text, websiteLengthMax);
}

// Rejects `javascript:alert(1)`, which parses as host and port, and `a@b.example`.
function isBareHost(text: string, url: URL): boolean {
  return url.hostname.includes('.') && url.username === '' && !/^[a-z][a-z\d+-]*:/i.test(text);
}

/** `a+b?` joins columns (not `b` alone), `a/b` is the first there, `a&b` is `a` in a file with `b`, `a!b` without. */
export interface FileColumns {
  /** Best first, as `plainHeading` makes them, separated by spaces. */
  headings: string;
  /** Headings under which a date begins with the day. */
  dayFirst?: string;
  /** Only the best column counts; otherwise the next one fills empty cells. */
  oneColumn?: true;
  /** Separates several values of a cell. The row's first value is taken, and the others are reported. */
  several?: RegExp;
  /** The type of a cell that is no text; an object, in JSON only, gives a value for each of its members. */
  as?: 'list' | 'object';
}

export interface Field<Max extends number = number> extends FileColumns {
  description: string;
  lengthMax: Max;
  pattern?: string;
  objectionTo(text: string): string | undefined;
}

export function textField<Max extends number>(description: string, lengthMax: Max, columns: FileColumns): Field<Max> {
  return { ...columns, description, lengthMax, objectionTo: (text) => objectionToText(text, lengthMax) };
}

export function emailField(description: string, columns: FileColumns): Field<typeof emailLengthMax> {
  const objectionTo = objectionToEmail;
  return { ...columns, description, lengthMax: emailLengthMax, pattern: emailSchemaPattern, objectionTo };
}

export function websiteField(description: string, columns: FileColumns): Field<typeof websiteLengthMax> {
  return { ...columns, description, lengthMax: websiteLengthMax, objectionTo: objectionToWebsite };
}

export const storablePattern = '^[^\\u0000]+$';

export function textSchema(maxLength: number, description?: string, example?: string) {
  const text = { type: 'string', minLength: 1, maxLength, pattern: storablePattern } as const;
  return {
    ...text,
    ...(description !== undefined && { description }),
    ...(example !== undefined && { examples: [example] }),
  };
}

export const idSchema = textSchema(idLengthMax);

export function schemaOf({ description, lengthMax, pattern = storablePattern }: Field): object {
  return {
    type: ['string', 'null'],
    minLength: 1,
    pattern,
    maxLength: lengthMax,
    description: `${description}; null when unknown, never empty.`,
  };
}

import { emailLengthMax, emailSchemaPattern, objectionToEmail } from './email.ts';
import { objectionToText } from './text.ts';
import { objectionToWebsite, websiteLengthMax } from './website.ts';

/** The columns of a file that a field is read from. */
export interface FileColumns {
  /** Headings that mean the field, best first, in lower case without spaces, `_` and `-`; two together are joined. */
  headings: readonly (string | readonly [string, string])[];
  /** Only the best column that is there counts; otherwise the next fills in where a cell is empty. */
  oneColumn?: true;
}

/** One optional text of a noun: all that the store, the interface and files need to know of it. */
export interface Field extends FileColumns {
  description: string;
  /** In characters (code points). */
  lengthMax: number;
  /** For JSON Schema, where it says more than the length. */
  pattern?: string;
  /** Why the text cannot be kept, as words that follow the field's name; undefined when it can. */
  objectionTo(text: string): string | undefined;
}

export function textField(description: string, lengthMax: number, columns: FileColumns): Field {
  return { ...columns, description, lengthMax, objectionTo: (text) => objectionToText(text, lengthMax) };
}

export function emailField(description: string, columns: FileColumns): Field {
  const objectionTo = objectionToEmail;
  return { ...columns, description, lengthMax: emailLengthMax, pattern: emailSchemaPattern, objectionTo };
}

export function websiteField(description: string, columns: FileColumns): Field {
  return { ...columns, description, lengthMax: websiteLengthMax, objectionTo: objectionToWebsite };
}

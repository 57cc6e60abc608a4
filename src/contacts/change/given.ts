import { objectionToText } from '../../values/text.ts';
import { contactDetails, detailNames, furtherDetails } from '../contact.ts';
import { type AttributeChanges, externalIdMax, type TagChanges, type TextProperty } from '../properties.ts';

/** What a change says of a contact, whoever says it. Null clears; what is missing stays. */
export interface Given {
  texts: Partial<Readonly<Record<TextProperty | 'import_digest', string | null>>>;
  attributes?: AttributeChanges | null | undefined;
  tags?: TagChanges | null | undefined;
}

const checked: Partial<Record<string, { objectionTo(text: string): string | undefined }>> = {
  ...contactDetails,
  ...furtherDetails,
  external_id: { objectionTo: (text) => objectionToText(text, externalIdMax) },
};

export function objectionTo(field: string, text: string): string | undefined {
  return checked[field]?.objectionTo(text);
}

/** Whether anything is said that makes a contact somebody: a name, an e-mail or another detail. */
export function isSomebody(texts: Readonly<Partial<Record<(typeof detailNames)[number], string | null>>>): boolean {
  return detailNames.some((name) => texts[name] != null);
}

import type { FieldError } from '../../errors.ts';
import { invalid } from '../../validation.ts';
import { emailKey } from '../../values/email.ts';
import { decimalText } from '../../values/text.ts';
import { digitNames, type GivenProperties, type Match } from '../properties.ts';
import type { Change, Given } from './given.ts';
import { keyOf } from './keys.ts';

export function changeOf(op: Change['op'], match: Match | undefined, properties: GivenProperties = {}): Change {
  const given = givenOf(properties);
  if (!match) return { op, mode: 'set', keys: [], given };
  // A caller cannot choose the id of a new contact.
  const ifNew = match.id === undefined ? { ifNew: match } : {};
  return { op, mode: 'set', keys: [keyOf(match)], given: besideMatch(given, match), ...ifNew };
}

/** The values that a caller sends, under their stored names. Throws `invalid` for what the schema cannot say. */
export function givenOf({ attributes, tags, ...properties }: GivenProperties): Given {
  const errors: FieldError[] = [];
  const refuse = (name: string, message: string) =>
    errors.push({ field: `properties.${name}`, code: 'not_allowed', message });
  const { company_name: company, website_url: website, ...own } = properties;
  if (company !== undefined && own.company !== undefined) refuse('company', 'cannot be given with company_name');
  if (website !== undefined && own.website !== undefined) refuse('website', 'cannot be given with website_url');
  if (own.name !== undefined && (own.first_name !== undefined || own.last_name !== undefined)) {
    refuse('name', 'cannot be given with first_name or last_name');
  }
  const texts: Record<string, string | number | null> = { ...own };
  if (company !== undefined) texts['company'] = company;
  if (website !== undefined) texts['website'] = website;
  for (const name of digitNames) {
    const value = own[name];
    if (typeof value !== 'number') continue;
    const digits = decimalText(value);
    if (digits === undefined) refuse(name, 'is a number too long to be exact; send it as a text');
    else texts[name] = digits;
  }
  if (errors.length > 0) throw invalid(errors);
  return { texts, ...(attributes !== undefined && { attributes }), ...(tags !== undefined && { tags }) };
}

/** The given values without the value of the match, which is not written again. Throws `invalid`. */
function besideMatch({ texts, ...given }: Given, { email, external_id: externalId }: Match): Given {
  const { email: otherEmail, external_id: otherId, ...rest } = texts;
  const isSameEmail = otherEmail == null ? otherEmail === undefined : emailKey(otherEmail) === emailKey(email ?? '');
  if (email !== undefined && !isSameEmail) throw differs('email');
  if (externalId !== undefined && otherId !== undefined && otherId !== externalId) throw differs('external_id');
  return {
    ...given,
    texts: {
      ...rest,
      ...(email === undefined && otherEmail !== undefined && { email: otherEmail }),
      ...(externalId === undefined && otherId !== undefined && { external_id: otherId }),
    },
  };
}

function differs(name: string) {
  return invalid([{ field: `properties.${name}`, code: 'not_allowed', message: `differs from match.${name}` }]);
}

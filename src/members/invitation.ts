import type { Actor } from '../actor.ts';
import type { UnitOfWork } from '../store.ts';
import { invalid } from '../validation.ts';
import { object } from '../values/object-schema.ts';
import { hashSecret, newSecret } from '../values/secret.ts';
import { addSeconds, day, formatTimestamp, hour, parseDuration, timestampSchema } from '../values/timestamp.ts';
import type { StoredMember } from './member.ts';

export const expirySchema = {
  type: 'string',
  minLength: 2,
  pattern: '^[1-9]\\d{0,5}[smhdw]$',
  maxLength: 7,
  default: '7d',
  description: 'How long the link can be used: 1h to 30d.',
  examples: ['7d'],
} as const;

/** The link is null in a repeat of the request. */
export const invitationSchema = {
  ...object(
    {
      url: {
        type: 'string',
        maxLength: 2_048,
        pattern: '^https?://[^#]+/join#[0-9A-Za-z]+$',
        description: 'For the invited person and nobody else.',
      },
      expires_at: { ...timestampSchema, description: 'From this second on the link is refused: UTC, whole seconds.' },
    },
    { title: 'Invitation', description: 'The link for the invited person, shown only now; null in a repeat.' },
  ),
  type: ['object', 'null'],
} as const;

/** For one person and nobody else, with the token in the fragment, which no server and no log gets to see. */
export interface Link {
  url: string;
  expires_at: string;
}

export const exampleLink: Link = {
  url: 'https://roster.example.com/join#0123456789ABCDEFGHIJKLMNOPQRST',
  expires_at: '2026-01-12T09:30:00+00:00',
};

const refuse = (code: 'too_small' | 'too_large') =>
  invalid([{ field: 'expires_in', code, message: 'must be a span from 1h to 30d, such as 7d' }]);

export function requireExpiry({ expires_in: text = '7d' }: { expires_in?: string }): number {
  const seconds = parseDuration(text) ?? Infinity;
  if (seconds < hour) throw refuse('too_small');
  if (seconds > 30 * day) throw refuse('too_large');
  return seconds;
}

/** A link to a page, and the hash of its token, which alone is kept. */
export function newLink(page: 'join' | 'sign-in' | 'setup', publicUrl: string, seconds: number) {
  const token = newSecret();
  const link: Link = {
    url: `${publicUrl}/${page}#${token}`,
    expires_at: formatTimestamp(addSeconds(new Date(), seconds)),
  };
  return { link, tokenHash: hashSecret(token) };
}

/** Makes the link of a member; an earlier one is dead. */
export async function makeLink(
  members: UnitOfWork['members'],
  { projectId, type, id }: Actor,
  member: StoredMember,
  { seconds, publicUrl }: { seconds: number; publicUrl: string },
): Promise<Link> {
  const { link, tokenHash } = newLink('join', publicUrl, seconds);
  const { expires_at } = link;
  const made = { member_id: member.id, token_hash: tokenHash, expires_at, created_by_type: type, created_by_id: id };
  await members.keepInvitation(projectId, made);
  return link;
}

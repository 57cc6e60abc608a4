import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const timeBytes = 6;
const randomLength = 16;
const ageMaxMs = 5 * 60_000;

export type Challenges = ReturnType<typeof challengesOf>;

/** Challenges for five minutes, signed and not stored, as strangers ask for them. Passkeys tell replays by time. */
export function challengesOf(secret: string) {
  const signed = (content: Buffer, purpose: string) =>
    createHmac('sha256', secret).update(purpose).update('\n').update(content).digest();
  return {
    issue: (purpose: string, now = Date.now()): string => {
      const content = Buffer.alloc(timeBytes + randomLength);
      content.writeUIntBE(now, 0, timeBytes);
      randomBytes(randomLength).copy(content, timeBytes);
      return Buffer.concat([content, signed(content, purpose)]).toString('base64url');
    },
    /** When it was issued (epoch, ms); undefined unless it was, for this purpose, within five minutes. */
    issuedAt: (challenge: string, purpose: string, now = Date.now()): number | undefined => {
      const bytes = Buffer.from(challenge, 'base64url');
      const content = bytes.subarray(0, timeBytes + randomLength);
      const expected = signed(content, purpose);
      const given = bytes.subarray(timeBytes + randomLength);
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      const at = content.readUIntBE(0, timeBytes);
      return at <= now && now - at <= ageMaxMs ? at : undefined;
    },
  };
}

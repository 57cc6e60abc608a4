import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

const timeBytes = 6;
const randomLength = 16;
const ageMaxMs = 5 * 60_000;

export type Challenges = ReturnType<typeof challengesOf>;

/** Challenges valid for five minutes. Signed, not stored: anybody may ask for one. Passkeys detect replays by time of issue. */
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
    /** Time of issue (epoch, ms); undefined if it is forged, for another purpose, or older than five minutes. */
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

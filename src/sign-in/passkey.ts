import type { Timestamp } from '../values/timestamp.ts';

export interface Passkey {
  id: string;
  project_id: string;
  member_id: string;
  /** The member's name for it. */
  name: string;
  /** The authenticator's id for it, in base64url. */
  credential_id: string;
  /** COSE, in base64url. */
  public_key: string;
  /** Uses, as the authenticator counts them; 0 where it does not. */
  sign_count: number;
  transports: string[];
  /** When the last accepted challenge was made (epoch, ms). */
  challenged_at: number;
  created_at: Timestamp;
  last_used_at: Timestamp | null;
}

import type { Timestamp } from '../values/timestamp.ts';
import type { Session } from './session.ts';

export interface Passkey {
  id: string;
  project_id: string;
  member_id: string;
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

/** A link that can be used. Without a member, whoever uses it becomes the Owner of the project, which may be new. */
export interface SignInLink {
  project_id: string;
  member_id: string | null;
  /** When the member who made it for themselves had proved who they are; null where somebody else made it. */
  verified_at: Timestamp | null;
  expires_at: Timestamp;
}

export interface MemberAccess {
  member_id: string;
  /** The last use of a session or a passkey that is still there. */
  last_seen_at: Timestamp | null;
  has_passkey: boolean;
  invitation_expires_at: Timestamp | null;
}

export interface SignInReads {
  /** The session of this hash in any project, unless it is over. Whether its member is still there is not asked. */
  findSession(tokenHash: string): Promise<Session | undefined>;
  /** Those that are not over, last used first. */
  listSessions(projectId: string, memberId: string): Promise<Session[]>;
  /** The link of this hash in any project, unless it has expired. */
  findLink(tokenHash: string): Promise<SignInLink | undefined>;
  findPasskey(credentialId: string): Promise<Passkey | undefined>;
  /** The passkeys of a member, the oldest first. */
  listPasskeys(projectId: string, memberId: string): Promise<Passkey[]>;
  /** Of all members of the project who have any. */
  listAccess(projectId: string): Promise<MemberAccess[]>;
  secret(): Promise<string>;
}

export interface SignInWrites {
  /** Stores a session. Forgets those of the project that are over, and of the member all but the last twenty used. */
  insertSession(session: Session, tokenHash: string): Promise<void>;
  renewSession(projectId: string, sessionId: string, at: Timestamp): Promise<void>;
  endSession(projectId: string, memberId: string, sessionId: string): Promise<boolean>;
  /** Ends the sessions of a member, except the one with `keptId`. Returns their number. */
  endSessions(projectId: string, memberId: string, keptId?: string): Promise<number>;
  /** Keeps the hash of a link; that of an earlier one for the same member is forgotten. */
  keepLink(link: SignInLink, tokenHash: string): Promise<void>;
  forgetLink(projectId: string, memberId: string): Promise<void>;
  endLink(projectId: string, tokenHash: string): Promise<boolean>;
  insertPasskey(passkey: Passkey): Promise<boolean>;
  /** Notes a use; false when the challenge is not newer than the last accepted one: a replay. */
  usePasskey(passkey: Passkey): Promise<boolean>;
  removePasskey(projectId: string, memberId: string, passkeyId: string): Promise<boolean>;
  removePasskeys(projectId: string, memberId: string): Promise<number>;
}

import type { Timestamp } from '../values/timestamp.ts';
import type { ApiKey } from './api-key.ts';

export interface ApiKeyReads {
  /** The key of this hash if it is usable now. One that has ended is not found, and takes as long as an unknown one. */
  findByHash(tokenHash: string, now?: Date): Promise<ApiKey | undefined>;
  /** When the key of this hash was revoked, whether or not it has ended: for figures, after its caller has been answered. */
  findRevokedAt(tokenHash: string): Promise<Pick<ApiKey, 'revoked_at'> | undefined>;
  locate(keyId: string): Promise<ApiKey | undefined>;
  list(projectId: string): Promise<ApiKey[]>;
}

export interface ApiKeyWrites {
  insert(key: ApiKey, tokenHash: string): Promise<boolean>;
  /** False when it was revoked before. Takes effect for requests that begin later, across a network within three seconds. */
  revoke(projectId: string, keyId: string, at: Timestamp): Promise<boolean>;
  /** Names the successor of a key and lets it expire. False when it has a successor already. */
  replace(projectId: string, keyId: string, successorId: string, expiresAt: Timestamp): Promise<boolean>;
}

import type { Scope } from '../rights.ts';
import type { Timestamp } from '../values/timestamp.ts';
import type { ApiKey } from './api-key.ts';

export interface ApiKeyReads {
  /** The key of this hash if it is usable now. One that has ended is not found, and takes as long as an unknown one. */
  findByHash(tokenHash: string, now?: Date): Promise<ApiKey | undefined>;
  /** The key of this hash, even if it has ended: for the operator, and for figures after its caller was answered. */
  locateByHash(tokenHash: string): Promise<ApiKey | undefined>;
  locate(keyId: string): Promise<ApiKey | undefined>;
  find(projectId: string, keyId: string): Promise<ApiKey | undefined>;
  list(projectId: string): Promise<ApiKey[]>;
}

export interface ApiKeyWrites {
  insert(key: ApiKey, tokenHash: string): Promise<boolean>;
  /** False when it was revoked before. Takes effect for requests that begin later, across a network within three seconds. */
  revoke(projectId: string, keyId: string, at: Timestamp): Promise<boolean>;
  /** False when the project has no such key, or it was revoked. Takes effect as a revocation does. */
  setScopes(projectId: string, keyId: string, scopes: readonly Scope[]): Promise<boolean>;
  /** Names the successor of a key and lets it expire. False when it has a successor already. */
  replace(projectId: string, keyId: string, successorId: string, expiresAt: Timestamp): Promise<boolean>;
}

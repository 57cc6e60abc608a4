import { requireFound } from '../errors.ts';
import type { ApiKey } from './api-key.ts';
import type { ApiKeyReads } from './store.ts';

export async function locateApiKey(apiKeys: ApiKeyReads, keyId: string): Promise<ApiKey> {
  return requireFound(await apiKeys.locate(keyId), 'api_key');
}

export async function requireApiKey(apiKeys: ApiKeyReads, projectId: string, keyId: string) {
  return requireFound(await apiKeys.find(projectId, keyId), 'api_key');
}

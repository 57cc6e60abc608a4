import { openAsker } from '../../test/support/asker.ts';

/** A key as `keys list --json` shows it. */
export interface ListedKey {
  id: string;
  name: string;
  last4: string;
  scopes: string[];
  revoked_at: string | null;
  replaced_by: string | null;
}

/** What was acknowledged of keys, to hold what is found against. */
export interface KeysModel {
  /** Tokens of the keys whose creation was acknowledged, by id. */
  tokens: ReadonlyMap<string, string>;
  /** Ids of keys that may be rotated or revoked. */
  live(): string[];
  created(id: string, token: string): void;
  rotated(id: string, successor: string, token: string): void;
  revoked(id: string): void;
  /** What of the list does not fit; what was not acknowledged may be there, but whole. */
  objections(list: readonly ListedKey[]): string[];
  /** Whether a token has to be let in, by the list that was looked at last. */
  isGood(id: string): boolean;
}

export function keysModel(): KeysModel {
  const tokens = new Map<string, string>();
  const revoked = new Set<string>();
  const successors = new Map<string, string>();
  let seen = new Map<string, ListedKey>();
  return {
    tokens,
    live: () => [...seen.values()].filter((key) => !key.revoked_at && !key.replaced_by).map(({ id }) => id),
    created: (id, token) => void tokens.set(id, token),
    rotated: (id, successor, token) => {
      successors.set(id, successor);
      tokens.set(successor, token);
    },
    revoked: (id) => void revoked.add(id),
    objections: (list) => {
      const found = new Map(list.map((key) => [key.id, key]));
      const wrong: string[] = [];
      for (const id of tokens.keys()) if (!found.has(id)) wrong.push(`the acknowledged key ${id} is lost`);
      for (const id of seen.keys()) if (!found.has(id)) wrong.push(`the key ${id} was there and is lost`);
      for (const id of revoked) if (!found.get(id)?.revoked_at) wrong.push(`the key ${id} was revoked and is not`);
      for (const [id, successor] of successors)
        if (found.get(id)?.replaced_by !== successor) wrong.push(`the key ${id} was rotated and is not`);
      for (const { id, name, last4, scopes, replaced_by } of list) {
        if (name === '' || last4.length !== 4 || scopes.length === 0) wrong.push(`the key ${id} is not whole`);
        if (replaced_by !== null && !found.has(replaced_by)) wrong.push(`the key ${id} has a successor that is lost`);
      }
      // One process at a time is stopped, and it makes one key.
      const unknown = list.filter(({ id }) => !seen.has(id) && !tokens.has(id));
      if (unknown.length > 1) wrong.push(`${unknown.length} keys came of one command`);
      seen = found;
      return wrong;
    },
    isGood: (id) => seen.get(id)?.revoked_at === null,
  };
}

/** Asks with each token of the model: what is good gets 200, what is not 401. */
export async function objectionsToTokens(address: string, model: KeysModel): Promise<string[]> {
  using asker = openAsker(address);
  const wrong: string[] = [];
  for (const [id, token] of model.tokens) {
    const { status } = await asker.get('/v2/members', token);
    const expected = model.isGood(id) ? 200 : 401;
    if (status !== expected) wrong.push(`the key ${id} gets ${status} and not ${expected}`);
  }
  return wrong;
}

import { call, codeOf } from './api.ts';
import { type Loaded, useQuery } from './query.ts';
import type { Session } from './types.ts';
import { Cancelled } from './use-action.ts';

/** Why passkeys cannot work here. */
const obstacles = {
  unsupported: 'This browser is too old for passkeys.',
  ip_address: 'Passkeys do not work on an IP address, only on a host name (ROSTER_PUBLIC_URL).',
  insecure: 'Passkeys need HTTPS; this connection is plain HTTP.',
  other_host: 'Passkeys work only at the public address of this server.',
};

export interface SignInState {
  passkeys: boolean;
  why?: Exclude<keyof typeof obstacles, 'unsupported'>;
  public_url: string;
  /** Whether there is a project. */
  is_set_up: boolean;
}

/** The state of sign-in here, for everybody. */
export function useSignInState(): Loaded<SignInState> {
  return useQuery(['sign-in'], (signal) => call<SignInState>('GET', '/sign-in/state', {}, { signal }));
}

/** By `PublicKeyCredential` alone, which browsers have with the JSON of passkeys since 2025. */
export function isSupported(): boolean {
  return (
    typeof PublicKeyCredential === 'function' &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential
  );
}

/** The sentence why passkeys cannot work here, and the address where they do; undefined where they can. */
export function obstacleOf({
  passkeys,
  why,
  public_url: url,
}: SignInState): { text: string; elsewhere?: URL } | undefined {
  if (passkeys && isSupported()) return undefined;
  const text = obstacles[why ?? 'unsupported'];
  const elsewhere = new URL(url);
  // At localhost everybody has another computer.
  return why === 'other_host' && elsewhere.hostname !== 'localhost' ? { text, elsewhere } : { text };
}

/** Throws `Cancelled` where nobody confirmed. */
export async function signInWithPasskey(): Promise<Session> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialRequestOptionsJSON }>(
    'POST',
    '/sign-in/passkey/options',
  );
  const asked = PublicKeyCredential.parseRequestOptionsFromJSON(publicKey);
  const credential = await byPerson(() => navigator.credentials.get({ publicKey: asked }));
  try {
    return await call<Session>('POST', '/sign-in/passkey', { credential });
  } catch (error) {
    throw codeOf(error) === 'not_found' ? new UnknownPasskey() : error;
  }
}

/** The device has one, but Roster does not: it was removed here. */
export class UnknownPasskey extends Error {
  override readonly name = 'UnknownPasskey';
}

export async function createPasskey(name: string): Promise<void> {
  const { publicKey } = await call<{ publicKey: PublicKeyCredentialCreationOptionsJSON }>('POST', '/passkeys/options');
  const asked = PublicKeyCredential.parseCreationOptionsFromJSON(publicKey);
  const credential = await byPerson(() => navigator.credentials.create({ publicKey: asked }));
  await call('POST', '/passkeys', { credential, ...(name !== '' && { name }) });
}

async function byPerson(ask: () => Promise<Credential | null>): Promise<unknown> {
  try {
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential.toJSON();
  } catch (error) {
    if (error instanceof DOMException && error.name === 'InvalidStateError') throw new AlreadyThere();
    if (!(error instanceof DOMException) || !['NotAllowedError', 'AbortError'].includes(error.name)) throw error;
  }
  throw new Cancelled();
}

/** The device has a passkey for this member already. */
export class AlreadyThere extends Error {
  override readonly name = 'AlreadyThere';
}

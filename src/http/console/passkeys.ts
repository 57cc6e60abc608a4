import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

import type { StoredMember } from '../../members/member.ts';
import type { Session } from '../../sign-in/session.ts';
import type { Passkey } from '../../sign-in/store.ts';
import type { Store } from '../../store.ts';
import { newId } from '../../values/identifier.ts';
import { once } from '../../values/once.ts';
import { formatTimestamp } from '../../values/timestamp.ts';
import type { Exchange } from '../exchange.ts';
import { type Challenges, challengesOf } from './challenges.ts';

// It takes ten megabytes, and is loaded when a passkey is first spoken of.
const library = once(() => import('@simplewebauthn/server'));

// Ed25519, ES256 and RS256: what authenticators have. Others are experimental in Node, which warns of them.
const supportedAlgorithmIDs = [-8, -7, -257];

const knownTransports = ['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'] as const;

const signIn = 'sign-in';
const ofSession = ({ id }: Session) => `registration ${id}`;

/** Passkeys belong to the host of the public URL, never to the address that was reached. */
function expectedAt(publicUrl: string) {
  const { hostname, origin } = new URL(publicUrl);
  return { expectedOrigin: origin, expectedRPID: hostname, requireUserVerification: true };
}

export function passkeyObstacle({
  publicUrl,
  arrival,
}: Pick<Exchange, 'publicUrl' | 'arrival'>): 'ip_address' | 'insecure' | 'other_host' | undefined {
  const { hostname, protocol, host } = new URL(publicUrl);
  if (/^[\d.]+$|:/.test(hostname)) return 'ip_address';
  if (protocol !== 'https:' && hostname !== 'localhost' && !hostname.endsWith('.localhost')) return 'insecure';
  const reached = URL.parse(`${protocol}//${arrival.request.headers.host ?? ''}`)?.host;
  return reached === host ? undefined : 'other_host';
}

type Credential = Pick<AuthenticationResponseJSON, 'id'>;

export type Passkeys = ReturnType<typeof createPasskeys>;

export function createPasskeys({ signIn: stored }: Pick<Store, 'signIn'>) {
  const challenges = once(async () => challengesOf(await stored.secret()));
  return { ...assertions(stored, challenges), ...registrations(stored, challenges) };
}

function assertions(stored: Store['signIn'], challenges: () => Promise<Challenges>) {
  return {
    requestOptions: async (publicUrl: string) => {
      const { generateAuthenticationOptions } = await library();
      const challenge = Buffer.from((await challenges()).issue(signIn), 'base64url');
      const { hostname: rpID } = new URL(publicUrl);
      return generateAuthenticationOptions({ rpID, challenge, userVerification: 'required', allowCredentials: [] });
    },
    /** The passkey with its new counter; undefined if the assertion does not verify. */
    verify: async (publicUrl: string, credential: Credential): Promise<Passkey | undefined> => {
      const { verifyAuthenticationResponse } = await library();
      const passkey = await stored.findPasskey(credential.id);
      if (!passkey) return undefined;
      const { issuedAt } = await challenges();
      let at: number | undefined;
      const checked = await verifyAuthenticationResponse({
        ...expectedAt(publicUrl),
        response: credential as AuthenticationResponseJSON,
        expectedChallenge: (challenge) => (at = issuedAt(challenge, signIn)) !== undefined,
        credential: {
          id: passkey.credential_id,
          publicKey: Buffer.from(passkey.public_key, 'base64url'),
          counter: passkey.sign_count,
        },
      }).catch(notVerified);
      if (!checked.verified || at === undefined) return undefined;
      const used = { sign_count: checked.authenticationInfo.newCounter, challenged_at: at };
      return { ...passkey, ...used, last_used_at: formatTimestamp(new Date()) };
    },
  };
}

function registrations(stored: Store['signIn'], challenges: () => Promise<Challenges>) {
  return {
    creationOptions: async (
      publicUrl: string,
      { session, member }: { session: Session; member: StoredMember },
      projectName: string,
    ) => {
      const { generateRegistrationOptions } = await library();
      const challenge = Buffer.from((await challenges()).issue(ofSession(session)), 'base64url');
      const held = await stored.listPasskeys(session.project_id, member.id);
      return generateRegistrationOptions({
        rpName: 'Roster',
        rpID: new URL(publicUrl).hostname,
        challenge,
        userID: Buffer.from(member.id),
        userName: member.email,
        userDisplayName: `${member.email} (${projectName})`,
        excludeCredentials: held.map(({ credential_id: id }) => ({ id })),
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      });
    },
    verifyNew: async (
      publicUrl: string,
      { session, member }: { session: Session; member: StoredMember },
      { credential, name }: { credential: Credential; name: string },
    ): Promise<Passkey | undefined> => {
      const { verifyRegistrationResponse } = await library();
      const { issuedAt } = await challenges();
      const checked = await verifyRegistrationResponse({
        ...expectedAt(publicUrl),
        response: credential as RegistrationResponseJSON,
        supportedAlgorithmIDs,
        expectedChallenge: (challenge) => issuedAt(challenge, ofSession(session)) !== undefined,
      }).catch(notVerified);
      if (!checked.verified) return undefined;
      const { id, publicKey, counter, transports } = checked.registrationInfo.credential;
      return {
        id: newId(),
        project_id: session.project_id,
        member_id: member.id,
        name,
        credential_id: id,
        public_key: Buffer.from(publicKey).toString('base64url'),
        sign_count: counter,
        transports: knownTransports.filter((one) => Array.isArray(transports) && transports.includes(one)),
        challenged_at: 0,
        created_at: formatTimestamp(new Date()),
        last_used_at: null,
      };
    },
  };
}

const notVerified = () => ({ verified: false }) as const;

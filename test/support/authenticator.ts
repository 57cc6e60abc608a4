import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();
const text = (bytes: Buffer) => bytes.toString('base64url');

/** An authenticator without a browser: ES256, no attestation, and whatever a test wants to be wrong. */
export function anAuthenticator() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const id = randomBytes(16);
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' }) as { x?: string; y?: string };
  // COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}
  const cose = Buffer.concat([
    Buffer.from('a5010203262001215820', 'hex'),
    Buffer.from(x, 'base64url'),
    Buffer.from('225820', 'hex'),
    Buffer.from(y, 'base64url'),
  ]);
  let signCount = 0;
  const clientData = (type: string, challenge: string, origin: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  const authData = (rpId: string, flags: number, more: Buffer) => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(++signCount);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), counter, more]);
  };
  const whole = { id: text(id), rawId: text(id), type: 'public-key', clientExtensionResults: {} };
  return {
    create: ({ challenge, rp }: { challenge: string; rp: { id: string } }, origin: string) => {
      const length = Buffer.from([0, id.length]);
      const data = authData(rp.id, 0x45, Buffer.concat([Buffer.alloc(16), length, id, cose]));
      const head = Buffer.from('a363666d74646e6f6e656761747453746d74a068617574684461746158', 'hex');
      const attestation = Buffer.concat([head, Buffer.from([data.length]), data]);
      const client = clientData('webauthn.create', challenge, origin);
      return { ...whole, response: { clientDataJSON: text(client), attestationObject: text(attestation) } };
    },
    get: ({ challenge, rpId }: { challenge: string; rpId: string }, origin: string) => {
      const data = authData(rpId, 0x05, Buffer.alloc(0));
      const client = clientData('webauthn.get', challenge, origin);
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), privateKey);
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature: text(signature) };
      return { ...whole, response };
    },
  };
}

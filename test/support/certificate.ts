import { generateKeyPairSync, sign } from 'node:crypto';

/** A certificate (X.509) that signs itself, for these names and a day, with its key, both as PEM. */
export function aCertificate(...names: string[]) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const ecdsaWithSha256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
  const subject = sequence(
    der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('made up')))),
  );
  const times = [-1, 1].map((days) => new Date(Date.now() + days * 86_400_000).toISOString());
  const validity = sequence(
    ...times.map((time) => der(0x17, Buffer.from(`${time.replaceAll(/\D/g, '').slice(2, 14)}Z`))),
  );
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const subjectAltName = sequence(der(0x06, Buffer.from('551d11', 'hex')), der(0x04, alternatives));
  const certified = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(subjectAltName)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', certified, privateKey));
  const base64 = sequence(certified, ecdsaWithSha256, signature).toString('base64');
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

const sequence = (...parts: Buffer[]) => der(0x30, ...parts);

/** Tag, length and contents in ASN.1's DER. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const contents = Buffer.concat(parts);
  const { length } = contents;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), contents]);
}

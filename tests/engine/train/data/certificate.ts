// Creates a self-signed certificate for a name: X.509 in DER, with only what TLS needs.
import { generateKeyPairSync, sign } from 'node:crypto';

const item = (tag: number, ...parts: (Uint8Array | string)[]): Buffer => {
  const content = Buffer.concat(parts.map(part => Buffer.from(part)));
  const { length } = content;
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
};
const sequence = (...parts: Buffer[]) => item(0x30, ...parts);
const integer = (value: number) => item(0x02, Buffer.from([value]));
const objectId = (hex: string) => item(0x06, Buffer.from(hex, 'hex'));

const ecdsaWithSha256 = sequence(objectId('2a8648ce3d040302'));
const commonName = objectId('550403');
const subjectAltName = objectId('551d11');

/** In PEM format. */
export function createCertificate(name: string): { cert: string; key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const subject = sequence(item(0x31, sequence(commonName, item(0x0c, name))));
  const content = sequence(
    item(0xa0, integer(2)),
    integer(1),
    ecdsaWithSha256,
    subject,
    sequence(item(0x17, '200101000000Z'), item(0x17, '491231235959Z')),
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    item(0xa3, sequence(sequence(subjectAltName, item(0x04, sequence(item(0x82, name)))))),
  );
  const signature = item(0x03, Buffer.from([0]), sign('sha256', content, privateKey));
  const der = sequence(content, ecdsaWithSha256, signature).toString('base64');
  const cert = `-----BEGIN CERTIFICATE-----\n${der.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;
  return { cert, key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
}

import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** A value in DER (X.690): tag, length, content. */
function der(tag: number, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  if (content.length < 128) return Buffer.concat([Buffer.from([tag, content.length]), content]);
  if (content.length < 256) return Buffer.concat([Buffer.from([tag, 0x81, content.length]), content]);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(content.length);
  return Buffer.concat([Buffer.from([tag, 0x82]), length, content]);
}

const sequence = (...parts: Buffer[]): Buffer => der(0x30, ...parts);
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const time = (date: Date): Buffer =>
  der(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(0, 14)}Z`));

const SIGNED_BY = {
  ec: sequence(oid('2a8648ce3d040302')),
  rsa: sequence(oid('2a864886f70d01010b'), Buffer.from([5, 0])),
};
type KeyType = keyof typeof SIGNED_BY;
const COMMON_NAME = oid('550403');
const SUBJECT_ALT_NAME = oid('551d11');
const LOOPBACK = Buffer.from([127, 0, 0, 1]);

function certificate(
  publicKey: KeyObject,
  privateKey: KeyObject,
  { type, names }: { type: KeyType; names: readonly string[] },
): Buffer {
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('test')))));
  const day = 86_400_000;
  const altName = der(
    0x04,
    sequence(der(0x87, LOOPBACK), ...names.map((host) => der(0x82, Buffer.from(host)))),
  );
  const body = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    SIGNED_BY[type],
    name,
    sequence(time(new Date(Date.now() - day)), time(new Date(Date.now() + day))),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(sequence(SUBJECT_ALT_NAME, altName))),
  );
  const signature = sign('sha256', body, privateKey);
  return sequence(body, SIGNED_BY[type], der(0x03, Buffer.concat([Buffer.from([0]), signature])));
}

/** A certificate for 127.0.0.1 and `names` , self-signed, and its key as PEM; valid for a day. */
export function selfSigned(
  type: KeyType = 'ec',
  names: readonly string[] = [],
): { cert: string; key: string } {
  const { publicKey, privateKey } =
    type === 'ec'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('rsa', { modulusLength: 2048 });
  const lines =
    certificate(publicKey, privateKey, { type, names })
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
}

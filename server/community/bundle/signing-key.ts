import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startError } from '../../database/errors.ts';
import type { End } from '../../storage/archive.ts';
import { ignoreMissing, writeDurably } from '../../storage/durable-write.ts';

const FILE_NAME = 'bundle-key.pem';
/** Signed together with the hash, so that the signature is not valid for any other purpose. */
const PURPOSE = 'plugin-square bundle\n';

/** The key that signs the bundles of a deployment (Ed25519, RFC 8032): the configured one, or one made in the data folder. */
export async function loadSigningKey({
  dataDir,
  bundleKey,
}: {
  dataDir: string;
  bundleKey?: KeyObject | undefined;
}): Promise<KeyObject> {
  if (bundleKey) return bundleKey;
  const path = join(dataDir, FILE_NAME);
  const stored = await readFile(path, 'utf8').catch(ignoreMissing);
  if (stored !== undefined) return createPrivateKey(stored);
  const { privateKey } = generateKeyPairSync('ed25519');
  await mkdir(dataDir, { recursive: true });
  const pem = Buffer.from(privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeDurably({ folder: dataDir, path, mode: 0o600 }, pem);
  return privateKey;
}

/** The public key in base64url, for `--trust` of other deployments. */
export function publicKeyOf(key: KeyObject): string {
  return String(createPublicKey(key).export({ format: 'jwk' }).x);
}

export function signHash(key: KeyObject, hash: string): Pick<End, 'public_key' | 'signature'> {
  const signature = sign(null, Buffer.from(PURPOSE + hash), key).toString('base64url');
  return { public_key: publicKeyOf(key), signature };
}

/** @throws start error when an archive was not signed with the trusted key */
export function assertSigned(file: string, end: End, trusted: string): void {
  if (end.public_key !== trusted)
    throw startError(
      `${file} was signed with another key (${end.public_key ?? 'none'}) than the trusted one.`,
    );
  const key = publicKeyFrom(trusted);
  const signature = Buffer.from(end.signature ?? '', 'base64url');
  if (!verify(null, Buffer.from(PURPOSE + end.sha256), key, signature))
    throw startError(`The signature of ${file} is wrong.`);
}

function publicKeyFrom(x: string): KeyObject {
  try {
    return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  } catch (error) {
    throw startError(`${x} is not a public key.`, error);
  }
}

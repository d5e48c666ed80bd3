import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** Encrypts text for one purpose, bound to a `label` such as the cookie name, so that values cannot be swapped. */
export type Encryptor = {
  encrypt(text: string, label: string): string;
  /** Undefined if the value was altered, or has another purpose, another label or an unknown key. */
  decrypt(encrypted: string, label: string): string | undefined;
};

/**
 * AES-256-GCM with a random 96-bit nonce for each value and keys derived for the purpose (HKDF, RFC 5869). The first
 * key encrypts; all keys decrypt, selected by the key id prefix, so that keys can be rotated.
 */
export function createEncryptor(masterKeys: readonly Buffer[], purpose: string): Encryptor {
  const keys = masterKeys.map((master) => ({
    id: derive(master, 'key id', 6).toString('base64url'),
    key: derive(master, purpose, 32),
  }));
  const [first] = keys;
  if (!first) throw new Error('encryption needs a key');
  const bound = (label: string): Buffer => Buffer.from(`${purpose}\n${label}`);

  return {
    encrypt(text, label) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', first.key, nonce).setAAD(bound(label));
      const body = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()];
      return `${first.id}.${Buffer.concat(body).toString('base64url')}`;
    },
    decrypt(encrypted, label) {
      const [id, text = '', ...rest] = encrypted.split('.');
      const found = keys.find((key) => key.id === id);
      const bytes = Buffer.from(text, 'base64url');
      const isCanonical = bytes.toString('base64url') === text;
      if (!found || rest.length > 0 || !isCanonical || bytes.length < NONCE_BYTES + TAG_BYTES)
        return undefined;
      const decipher = createDecipheriv('aes-256-gcm', found.key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(bound(label)).setAuthTag(bytes.subarray(-TAG_BYTES));
      try {
        const start = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([start, decipher.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
  };
}

function derive(master: Buffer, info: string, bytes: number): Buffer {
  return Buffer.from(hkdfSync('sha256', master, '', `plugin-square ${info}`, bytes));
}

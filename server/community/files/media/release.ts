import { createHash } from 'node:crypto';
import { releasePackage } from '../../../../shared/package/package.ts';

/** What users download of a package: SHA-256 in hexadecimal, and size. */
export type Release = { key: string; bytes: number };

/** @throws SyntaxError when it is not JSON */
export function releaseOf(content: Uint8Array): Release {
  const released = Buffer.from(releasePackage(new TextDecoder().decode(content)));
  return { key: createHash('sha256').update(released).digest('hex'), bytes: released.length };
}

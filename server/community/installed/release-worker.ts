import { releasePackage } from '../../../shared/package/package.ts';

/** Runs in a thread of its own: reading and writing a package of some megabytes takes a while. */
export function release(content: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(content);
  return new TextEncoder().encode(releasePackage(text));
}

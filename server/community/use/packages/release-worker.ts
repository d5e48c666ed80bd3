import { releasePackage } from '../../../../shared/package/package.ts';

/** Runs in a worker thread, since parsing a package of some megabytes takes long. */
export function release(content: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(content);
  return new TextEncoder().encode(releasePackage(text));
}

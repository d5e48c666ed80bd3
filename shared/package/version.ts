import compare from 'semver/functions/compare.js';
import parse from 'semver/functions/parse.js';

const VERSION_MAX = 64;

/** True for a version number as Semantic Versioning 2.0.0 writes it, without a leading "v". */
export function isVersion(text: string): boolean {
  if (text.length > VERSION_MAX) return false;
  const read = parse(text);
  return read !== null && text === canonical(read);
}

function canonical(read: { version: string; build: readonly string[] }): string {
  return read.build.length > 0 ? `${read.version}+${read.build.join('.')}` : read.version;
}

/**
 * Precedence of two versions: negative, zero or positive; build metadata does not count.
 * @throws TypeError when one of them is no version
 */
export function compareVersions(a: string, b: string): number {
  return compare(a, b);
}

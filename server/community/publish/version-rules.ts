import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { compareVersions, isVersion } from '../../../shared/package/version.ts';
import type { KnownVersion } from './store.ts';

export type VersionVerdict =
  | { kind: 'new' }
  /** The same number with the same package: there is nothing to do. */
  | { kind: 'repeat'; known: KnownVersion }
  | { kind: 'refused'; finding: Finding };

/**
 * Judges a version number by those there ever were of its plugin (design section 7): greater by precedence (Semantic
 * Versioning 2.0.0 section 11) than each, or a harmless repeat.
 */
export function judgeVersion(
  known: readonly KnownVersion[],
  { version, packageKey }: { version: string; packageKey: string },
): VersionVerdict {
  const pointer = '/version';
  const same = known.find((other) => other.version === version);
  if (same?.package_key === packageKey) return { kind: 'repeat', known: same };
  if (same) return { kind: 'refused', finding: finding('VERSION_EXISTS', { pointer }, { version }) };
  const numbers = known.map((other) => other.version).filter(isVersion);
  const greatest = numbers.toSorted(compareVersions).at(-1);
  if (greatest !== undefined && compareVersions(version, greatest) <= 0) {
    return { kind: 'refused', finding: finding('VERSION_NOT_GREATER', { pointer }, { version: greatest }) };
  }
  return { kind: 'new' };
}

import compareBuild from 'semver/functions/compare-build.js';
import valid from 'semver/functions/valid.js';

/** The greatest of version numbers by the precedence of Semantic Versioning 2.0.0; what is no number counts least. */
export function greatestVersion(versions: readonly string[]): string | undefined {
  const numbers = versions.filter((version) => valid(version) !== null);
  return numbers.toSorted(compareBuild).at(-1) ?? versions.at(-1);
}

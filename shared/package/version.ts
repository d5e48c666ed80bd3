import parse from 'semver/functions/parse.js';

/** Compares two versions by precedence, ignoring build metadata. Throws a TypeError for an invalid version. */
export { default as compareVersions } from 'semver/functions/compare.js';

const VERSION_MAX = 64;

/** Whether a text is a version of Semantic Versioning 2.0.0; unlike semver's own check, without a leading "v". */
export function isVersion(text: string): boolean {
  const parsed = text.length <= VERSION_MAX ? parse(text) : null;
  const build = parsed?.build.length ? `+${parsed.build.join('.')}` : '';
  return parsed !== null && text === parsed.version + build;
}

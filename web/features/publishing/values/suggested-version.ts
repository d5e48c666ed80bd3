import inc from 'semver/functions/inc.js';
import type { VersionKind } from '../../../../shared/entities/review.ts';
import { FIRST_VERSION } from './publish-values.ts';

const RELEASES = { new: 'minor', fixed: 'patch' } as const;

/** The number that follows `last`: the next minor one for something new, the next patch for something mended. */
export function suggestedVersion(last: string | undefined, kind: VersionKind): string {
  return (last === undefined ? null : inc(last, RELEASES[kind])) ?? FIRST_VERSION;
}

import type { PluginVersion } from '../../../shared/entities/plugin.ts';
import type { ErrorCode } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';

/** Changes that a publisher can make to a version. */
export type VersionChange = { version: string } & ({ is_current: true } | { is_hidden: boolean });

/**
 * The optimistic history after a change; if the current version is hidden, the service chooses the next current one.
 */
export function versionsAfter(versions: readonly PluginVersion[], change: VersionChange): PluginVersion[] {
  return versions.map((one) => {
    const isChanged = one.version === change.version;
    if ('is_hidden' in change) return isChanged ? { ...one, is_hidden: change.is_hidden } : one;
    return { ...one, is_current: isChanged, is_hidden: isChanged ? false : one.is_hidden };
  });
}

/** Key of the text in the namespace `versions` that says what was changed. */
export function versionDone(change: VersionChange): 'made_current' | 'hidden' | 'shown' {
  if ('is_current' in change) return 'made_current';
  return change.is_hidden ? 'hidden' : 'shown';
}

const TEXTS = {
  VERSION_NEEDED: 'only_one',
  VERSION_NOT_PASSED: 'not_passed',
  VERSION_NOT_FOUND: 'gone',
  PLUGIN_NOT_FOUND: 'gone',
  FORBIDDEN: 'forbidden',
  HIDDEN_BY_ADMIN: 'hidden_by_admin',
  VERSION_WITHDRAWN: 'withdrawn_now',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Key of the text in the namespace `versions` that says why a version couldn't be changed. */
export function versionError({ reason }: ApiError): (typeof TEXTS)[keyof typeof TEXTS] | 'failed' {
  const texts: Partial<Record<ErrorCode, (typeof TEXTS)[keyof typeof TEXTS]>> = TEXTS;
  return (reason && texts[reason]) ?? 'failed';
}

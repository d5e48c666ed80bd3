import type { ErrorCode } from '../../../shared/errors.ts';
import type { ApiError } from '../../api/api-error.ts';

const TEXTS = {
  VERSION_NEEDED: 'only_one',
  VERSION_NOT_PASSED: 'not_passed',
  VERSION_NOT_FOUND: 'gone',
  PLUGIN_NOT_FOUND: 'gone',
  FORBIDDEN: 'forbidden',
} as const satisfies Partial<Record<ErrorCode, string>>;

/** Key of the text in the namespace `versions` that says why a version could not be changed. */
export function versionError({ reason }: ApiError): (typeof TEXTS)[keyof typeof TEXTS] | 'failed' {
  const texts: Partial<Record<ErrorCode, (typeof TEXTS)[keyof typeof TEXTS]>> = TEXTS;
  return (reason && texts[reason]) ?? 'failed';
}

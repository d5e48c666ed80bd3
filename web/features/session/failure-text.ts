import { FRAME_ABSENT } from './ask-sign-in.ts';

const LINKS: ReadonlySet<string> = new Set(['VALIDATION_FAILED', 'LOGIN_SOURCE_UNKNOWN']);

/**
 * The text of the namespace `session` for the code of a sign-in that failed. Used up or expired attempts are the
 * visitor's to repeat; for the rest, the link or the service did not do its part.
 */
export function failureText(code: string): 'failed_text' | 'failed_service' | 'failed_link' | 'frame_absent' {
  if (code === FRAME_ABSENT) return 'frame_absent';
  if (LINKS.has(code)) return 'failed_link';
  return /^(?:UPSTREAM_|SERVICE_|INTERNAL)/.test(code) ? 'failed_service' : 'failed_text';
}

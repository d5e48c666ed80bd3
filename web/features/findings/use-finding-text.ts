import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { FINDING_CODES, isFindingCode } from '../../../shared/package/finding-codes.ts';

type Said = Pick<Finding, 'code' | 'message' | 'params'>;

/** Says a finding in the page's language; one that is newer than this page, in the words that came with it. */
export function useFindingText(): (finding: Said) => string {
  const t = useTranslations('finding');
  return ({ code, message, params = {} }) =>
    isFindingCode(code) && placeholdersOf(FINDING_CODES[code].message).every((name) => name in params)
      ? t(code, params)
      : message;
}

/** Names of the values that a text asks for. */
export function placeholdersOf(message: string): string[] {
  return [...message.matchAll(/\{(\w+)\}/g)].map((match) => match[1] ?? '');
}

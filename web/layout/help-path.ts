import type { SiteVariant } from '../../shared/deploy-types.ts';
import type { Language } from '../../shared/languages.ts';

/** Languages that the overseas help centre speaks beside English. */
const OVERSEAS: Partial<Record<Language, string>> = {
  'ja-JP': '/help/jp/',
  'ko-KR': '/help/kr/',
  'es-ES': '/help/es/',
};

/** Where help is found: overseas in the reader's language (specification section 2). */
export function helpPath(variant: SiteVariant, language: Language): string {
  return variant === 'overseas' ? (OVERSEAS[language] ?? '/help/en/') : '/help/';
}

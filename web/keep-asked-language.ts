import {
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_VALUES,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
} from '../shared/languages.ts';
import { keepPreference } from './features/preferences/preference-cookie.ts';

/**
 * Where the address has chosen the page's language and no cookie had one, the cookie keeps it: the calls and pages that
 * follow have no such address and must agree.
 */
export function keepAskedLanguage(page: Document, shown: Language): void {
  const { searchParams } = new URL(page.location.href);
  const asked = languageOfCookie(searchParams.get(LANGUAGE_PARAMETER) ?? undefined);
  const isKept = page.cookie.split('; ').includes(`${LANGUAGE_COOKIE}=${LANGUAGE_COOKIE_VALUES[shown]}`);
  if (asked === shown && !isKept) keepPreference(page, LANGUAGE_COOKIE, LANGUAGE_COOKIE_VALUES[shown]);
}

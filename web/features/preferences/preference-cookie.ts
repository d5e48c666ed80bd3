import {
  LANGUAGE_COOKIE,
  LANGUAGE_COOKIE_VALUES,
  LANGUAGE_PARAMETER,
  type Language,
  languageOfCookie,
} from '../../../shared/languages.ts';
import { isInTool } from '../../api/in-tool.ts';

const ONE_YEAR = 365 * 24 * 60 * 60;

/**
 * A cookie that stores a preference for a year; undefined deletes it (R 12.2). `isInTool`: for pages inside a design tool, where
 * browsers store only cookies that belong to the site around them; they need https.
 */
export function preferenceCookie(
  name: string,
  value: string | undefined,
  { secure, isInTool = false }: { secure: boolean; isInTool?: boolean },
): string {
  const age = value === undefined ? 0 : ONE_YEAR;
  const place =
    isInTool && secure ? 'SameSite=None; Secure; Partitioned' : `SameSite=Lax${secure ? '; Secure' : ''}`;
  return `${name}=${value ?? ''}; Path=/; Max-Age=${age}; ${place}`;
}

/** Stores a preference in the browser, readable by the server and the page. */
export function storePreference(page: Document, name: string, value: string | undefined): void {
  const secure = page.location.protocol === 'https:';
  page.cookie = preferenceCookie(name, value, { secure, isInTool: isInTool() });
}

/**
 * Stores the page's language when the URL chose it and no cookie had one: later calls and pages have no such URL and
 * must use the same language.
 */
export function storeRequestedLanguage(page: Document, shown: Language): void {
  const { searchParams } = new URL(page.location.href);
  const requested = languageOfCookie(searchParams.get(LANGUAGE_PARAMETER) ?? undefined);
  const hasCookie = page.cookie.split('; ').includes(`${LANGUAGE_COOKIE}=${LANGUAGE_COOKIE_VALUES[shown]}`);
  if (requested === shown && !hasCookie)
    storePreference(page, LANGUAGE_COOKIE, LANGUAGE_COOKIE_VALUES[shown]);
}

const ONE_YEAR = 365 * 24 * 60 * 60;

/** Text of a cookie that keeps a preference for a year; undefined forgets it (design section 5). */
export function preferenceCookie(name: string, value: string | undefined, secure: boolean): string {
  const age = value === undefined ? 0 : ONE_YEAR;
  return `${name}=${value ?? ''}; Path=/; Max-Age=${age}; SameSite=Lax${secure ? '; Secure' : ''}`;
}

/** Keeps a preference in the browser, readable by the server and the page alike. */
export function keepPreference(page: Document, name: string, value: string | undefined): void {
  page.cookie = preferenceCookie(name, value, page.location.protocol === 'https:');
}

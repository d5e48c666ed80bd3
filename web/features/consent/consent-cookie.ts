/** What a visitor has agreed to: what the site needs to work alone, or marketing as well. */
export type Consent = 'necessary' | 'marketing';

const CONSENTS: readonly Consent[] = ['necessary', 'marketing'];

export const CONSENT_COOKIE = 'consent';
/** 180 days, in seconds: then the visitor is asked again. */
const KEPT_FOR = 180 * 24 * 60 * 60;

/** What a page's cookies say; undefined while the visitor has not decided. */
export function consentIn(cookies: string): Consent | undefined {
  const texts = cookies.split('; ');
  return CONSENTS.find((consent) => texts.includes(`${CONSENT_COOKIE}=${consent}`));
}

/** Text of the cookie that remembers a decision. */
export function consentCookie(consent: Consent, secure: boolean): string {
  return `${CONSENT_COOKIE}=${consent}; Path=/; Max-Age=${KEPT_FOR}; SameSite=Lax${secure ? '; Secure' : ''}`;
}

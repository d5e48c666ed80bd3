import { useSyncExternalStore } from 'react';

/** Channel that reports a decision to other tabs. */
const CHANNEL = 'consent';

const listeners = new Set<() => void>();

/** A decision when the browser rejects its cookie: valid until the page is left. */
let unstored: Consent | undefined;

/** The visitor's consent; undefined before a decision and before hydration. */
export function useConsent(): Consent | undefined {
  return useSyncExternalStore(subscribe, currentConsent, () => undefined);
}

/** Stores the visitor's decision; effective immediately in all tabs. */
export function decideConsent(consent: Consent): void {
  keep(document, consent);
  unstored = consentIn(document.cookie) === undefined ? consent : undefined;
  for (const changed of listeners) changed();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(consent);
  channel.close();
}

function keep(page: Document, consent: Consent): void {
  page.cookie = consentCookie(consent, page.location.protocol === 'https:');
}

/** The visitor's current consent, in a hydrated page. */
export function currentConsent(): Consent | undefined {
  return consentIn(document.cookie) ?? unstored;
}

/** Notifies of decisions, also in other tabs, until the returned function is called. */
export function subscribe(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = changed;
  listeners.add(changed);
  return () => {
    channel.close();
    listeners.delete(changed);
  };
}

/** The visitor's consent: only necessary cookies, or marketing as well. */
export type Consent = 'necessary' | 'marketing';

const CONSENTS: readonly Consent[] = ['necessary', 'marketing'];

export const CONSENT_COOKIE = 'consent';
/** 180 days in seconds; then the visitor is asked again. */
const MAX_AGE_S = 180 * 24 * 60 * 60;

/** The consent in a page's cookies; undefined before a decision. */
export function consentIn(cookies: string): Consent | undefined {
  const texts = cookies.split('; ');
  return CONSENTS.find((consent) => texts.includes(`${CONSENT_COOKIE}=${consent}`));
}

/** The cookie that stores a decision. */
export function consentCookie(consent: Consent, secure: boolean): string {
  return `${CONSENT_COOKIE}=${consent}; Path=/; Max-Age=${MAX_AGE_S}; SameSite=Lax${secure ? '; Secure' : ''}`;
}

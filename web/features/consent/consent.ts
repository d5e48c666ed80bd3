import { useSyncExternalStore } from 'react';

/** By which other tabs hear of a decision at once. */
const CHANNEL = 'consent';

const listeners = new Set<() => void>();

/** A decision that the browser keeps no cookie of: it holds for the page alone. */
let unkept: Consent | undefined;

/** What the visitor has agreed to; undefined while they have not decided, and as long as the page is not hydrated. */
export function useConsent(): Consent | undefined {
  return useSyncExternalStore(subscribe, currentConsent, () => undefined);
}

/** Remembers the visitor's decision; it holds at once, in all tabs. */
export function decideConsent(consent: Consent): void {
  keep(document, consent);
  unkept = consentIn(document.cookie) === undefined ? consent : undefined;
  for (const changed of listeners) changed();
  const channel = new BroadcastChannel(CHANNEL);
  channel.postMessage(consent);
  channel.close();
}

function keep(page: Document, consent: Consent): void {
  page.cookie = consentCookie(consent, page.location.protocol === 'https:');
}

/** What the visitor has agreed to by now, in a page that is hydrated. */
export function currentConsent(): Consent | undefined {
  return consentIn(document.cookie) ?? unkept;
}

/** Tells of decisions, of other tabs too, until the returned function is called. */
export function subscribe(changed: () => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  channel.onmessage = changed;
  listeners.add(changed);
  return () => {
    channel.close();
    listeners.delete(changed);
  };
}

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

import { useSyncExternalStore } from 'react';
import { type Consent, consentCookie, consentIn } from './consent-cookie.ts';

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

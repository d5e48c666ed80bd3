import { useSyncExternalStore } from 'react';
import { BASE_PATH } from '../../shared/constants.ts';

/** A small file that no cache answers for. */
const PROBE = `${BASE_PATH}icon.svg`;

const listeners = new Set<() => void>();
let isLost = false;
let losses = 0;

function change(lost: boolean): void {
  if (isLost === lost) return;
  isLost = lost;
  if (lost) losses += 1;
  for (const changed of [...listeners]) changed();
}

function subscribe(changed: () => void): () => void {
  listeners.add(changed);
  return () => listeners.delete(changed);
}

/**
 * Whether something found no network while the browser is offline. Either alone says nothing: a site on the same machine
 * works offline, and a service may fail by itself.
 */
export function isConnectionLost(): boolean {
  return isLost;
}

/** The same, for rendering. */
export function useIsConnectionLost(): boolean {
  return useSyncExternalStore(subscribe, isConnectionLost, () => false);
}

/** Tells whether the connection is or was lost since then: it may be back before a failure is handled. */
export function watchLoss(): () => boolean {
  const [wasLost, before] = [isLost, losses];
  return () => wasLost || losses > before;
}

/** Notes that something wasn't answered. */
export function noteUnanswered(): void {
  if (!isBrowserOffline()) return;
  addEventListener('online', retryNow, { once: true });
  change(true);
}

/** Notes that the site has answered. */
export function noteAnswered(): void {
  change(false);
}

/** Lets everything that waits for the connection try again. */
export function retryNow(): void {
  change(false);
}

/** Resolves when it makes sense to try again, or when `signal` is aborted. */
export function whenBack(signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const look = (): void => {
    if (isLost && !signal?.aborted) return;
    unsubscribe();
    signal?.removeEventListener('abort', look);
    resolve();
  };
  const unsubscribe = subscribe(look);
  signal?.addEventListener('abort', look);
  look();
  return promise;
}

/** Resolves once the site is within reach: immediately unless the browser is offline. */
export async function whenReachable(signal?: AbortSignal): Promise<void> {
  while (isBrowserOffline() && !signal?.aborted) {
    const isReachable = await fetch(PROBE, { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    );
    if (isReachable) return noteAnswered();
    noteUnanswered();
    await whenBack(signal);
  }
}

let leaving: AbortController | undefined;

/** Opens a document, as soon as there is a network: a browser would replace the page with an error of its own. */
export function leavePage(open: () => void): void {
  leaving?.abort();
  if (!isBrowserOffline()) {
    open();
    return;
  }
  const mine = new AbortController();
  leaving = mine;
  void whenReachable(mine.signal).then(() => mine.signal.aborted || open());
}

/** Forgets a document that waits for the connection. */
export function stay(): void {
  leaving?.abort();
}

export function isBrowserOffline(): boolean {
  return typeof document === 'object' && !navigator.onLine;
}

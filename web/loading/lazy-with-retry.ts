import { useSyncExternalStore } from 'react';
import { loadCode, reloadOnce } from './load-code.ts';

/** Code that is loaded on first use. */
export type LazyPart<T> = {
  /** The code, if it is there. */
  peek: () => T | undefined;
  /** Loads it ahead of use; a failure is ignored. */
  preload: () => void;
  /**
   * Loads it for use. Where three tries fail the page may be reloaded, and this never settles.
   * @throws the error of the last try
   */
  load: () => Promise<T>;
  /** Uses code that the page has anyway. */
  provide: (code: T) => void;
  /** How often it could not be loaded. */
  failures: () => number;
  subscribe: (changed: () => void) => () => void;
};

/** The client's only way to load code on demand. A failure isn't kept: the next use tries again. */
export function lazyWithRetry<T>(importCode: () => Promise<T>): LazyPart<T> {
  const listeners = new Set<() => void>();
  let loaded: { code: T } | undefined;
  let running: Promise<T> | undefined;
  let failed = 0;
  const tell = (): void => {
    for (const changed of [...listeners]) changed();
  };
  const provide = (code: T): void => {
    loaded = { code };
    tell();
  };
  const start = (): Promise<T> => {
    if (loaded) return Promise.resolve(loaded.code);
    running ??= loadCode(importCode)
      .then((code) => {
        provide(code);
        return code;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  };
  return {
    peek: () => loaded?.code,
    preload: () => void start().catch(() => undefined),
    load: () =>
      start().catch((error: unknown) => {
        if (reloadOnce()) return new Promise<never>(() => undefined);
        failed += 1;
        tell();
        throw error;
      }),
    provide,
    failures: () => failed,
    subscribe: (changed) => {
      listeners.add(changed);
      return () => listeners.delete(changed);
    },
  };
}

/** The code of a part once it is there; loading it is the caller's. */
export function useLazyPart<T>({ subscribe, peek }: LazyPart<T>): T | undefined {
  return useSyncExternalStore(subscribe, peek, peek);
}

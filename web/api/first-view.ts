/** Hydration boundaries of the document that aren't hydrated yet. */
const unhydrated = new Set<object>();
let hydrated = Promise.resolve();
let resolveHydrated = (): void => undefined;

/**
 * From now on responses wait until the last boundary is hydrated. A boundary hydrated with newer data than the server
 * had would be rendered again from scratch while the visitor uses it.
 */
export function pauseUntilHydrated(): void {
  hydrated = new Promise((resolve) => {
    resolveHydrated = resolve;
  });
}

/** Resolves once the whole document is hydrated, immediately if it already is. */
export function firstViewHydrated(): Promise<void> {
  return hydrated;
}

/** Registers a boundary that hydrates on its own. */
export function registerBoundary(boundary: object): void {
  unhydrated.add(boundary);
}

/** Marks a boundary, or the frame around all of them, as hydrated or unmounted. */
export function boundaryHydrated(boundary?: object): void {
  if (boundary) unhydrated.delete(boundary);
  if (unhydrated.size === 0) resolveHydrated();
}

/** Boundaries of the document that are not hydrated yet. */
const unhydrated = new Set<object>();
let whole = Promise.resolve();
let resolveWhole = (): void => undefined;

/**
 * From here on answers wait until the last boundary of the document is hydrated: one that was rendered from newer
 * answers than the server had would be rendered again, under the visitor's hands.
 */
export function pauseUntilHydrated(): void {
  whole = new Promise((resolve) => {
    resolveWhole = resolve;
  });
}

/** Resolves once all of the document is hydrated, at once if it is. */
export function wholeFirstView(): Promise<void> {
  return whole;
}

/** Tells of a boundary that is hydrated by itself. */
export function registerBoundary(boundary: object): void {
  unhydrated.add(boundary);
}

/** Tells that a boundary, or what surrounds them all, is hydrated or gone. */
export function boundaryHydrated(boundary?: object): void {
  if (boundary) unhydrated.delete(boundary);
  if (unhydrated.size === 0) resolveWhole();
}

/**
 * Has a view transition that another one cuts off end without an error: its `ready` is rejected then, and React Router waits
 * for `finished` alone.
 */
export function ignoreCutTransitions(document: Document): void {
  if (!('startViewTransition' in document)) return;
  const start = document.startViewTransition.bind(document);
  document.startViewTransition = (update) => {
    const transition = start(update);
    transition.ready.catch(() => undefined);
    return transition;
  };
}

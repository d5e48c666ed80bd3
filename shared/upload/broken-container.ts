const NAME = 'BrokenContainer';

/** A file whose structure contradicts itself or ends too early; the reason is for developers. */
export function brokenContainer(reason: string): Error {
  const error = new Error(reason);
  error.name = NAME;
  return error;
}

export function isBrokenContainer(error: unknown): boolean {
  return error instanceof Error && error.name === NAME;
}

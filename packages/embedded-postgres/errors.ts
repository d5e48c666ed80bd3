const NAME = 'StartError';

/**
 * An error that the operator can fix, such as a folder that is not writable. A program prints its message without a stack; it
 * knows such errors by their name, which those of other modules have as well.
 */
export function startError(message: string, cause?: unknown): Error {
  const error = new Error(message, { cause });
  error.name = NAME;
  return error;
}

/** Whether an error was created by {@link startError}. */
export function isStartError(error: unknown): error is Error {
  return error instanceof Error && error.name === NAME;
}

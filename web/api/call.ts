import type { Operation } from '../../shared/contract.ts';

export type Payload = Readonly<Record<string, unknown>>;

export type CallOptions = { signal?: AbortSignal | undefined };

/** The result of a cancelled call: no error, but the signal's reason (R 15.3). */
export type Cancelled = { cancelled: true; message: string };

export function isCancelled(answer: unknown): answer is Cancelled {
  return typeof answer === 'object' && answer !== null && 'cancelled' in answer && answer.cancelled === true;
}

/**
 * Reads an operation of the contract; resolves with Cancelled when the signal was aborted.
 * @throws ApiError
 */
export type ReadOperation = (operation: Operation, payload: Payload, signal: AbortSignal) => Promise<unknown>;

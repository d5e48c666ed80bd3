import type { Contract, Operation } from '../../shared/contract.ts';
import type { DataOf, PayloadOf } from '../../shared/route.ts';
import { lazyWithRetry } from '../loading/lazy-with-retry.ts';
import { apiError } from './api-error.ts';
import type { CallOptions, Cancelled, Payload, ReadOperation } from './call.ts';
import { firstViewHydrated } from './first-view.ts';

/** The code of calls, loaded after the first view. */
export const wire = lazyWithRetry(() => import('./wire.ts'));

export type DataFor<O extends Operation> = DataOf<Contract[O]>;
export type PayloadFor<O extends Operation> = PayloadOf<Contract[O]>;

/**
 * Calls an operation of the contract. With a signal it may resolve with Cancelled.
 * @throws ApiError
 */
export function call<O extends Operation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
): Promise<DataFor<O>>;
export function call<O extends Operation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
  options: CallOptions,
): Promise<DataFor<O> | Cancelled>;
export function call(operation: Operation, payload: Payload, options?: CallOptions): Promise<unknown> {
  return callAny(operation, payload, options);
}

type Done = (operation: Operation, change: { payload: Payload; data: unknown }) => void;

const listeners = new Set<Done>();

/** Calls back after each operation that succeeded. Returns a function that ends it. */
export function onDone(tell: Done): () => void {
  listeners.add(tell);
  return () => void listeners.delete(tell);
}

/** `call` for an operation known only at run time. Its code is loaded after the first view. */
export async function callAny(
  operation: Operation,
  payload: Payload,
  options?: CallOptions,
): Promise<unknown> {
  try {
    const { send, wireOperation } = await wire.load().catch((error: unknown) => {
      throw apiError({ status: 0 }, error);
    });
    const data = await send(wireOperation(operation), payload, options);
    for (const tell of listeners) tell(operation, { payload, data });
    return data;
  } finally {
    await firstViewHydrated();
  }
}

/** How the query cache of a tab reads. */
export const readOperation: ReadOperation = (operation, payload, signal) =>
  callAny(operation, payload, { signal });

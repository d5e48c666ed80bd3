import { operations } from 'virtual:operations';
import type { Contract, Operation } from '../../shared/contract.ts';
import type { DataOf, PayloadOf } from '../../shared/route.ts';
import type { Payload } from './request.ts';
import { type CallOptions, type Cancelled, createSend } from './transport.ts';

export type DataFor<O extends Operation> = DataOf<Contract[O]>;
export type PayloadFor<O extends Operation> = PayloadOf<Contract[O]>;

const send = createSend({
  fetch: (input, init) => fetch(input, init),
  origin: '',
  pagePath: () => location.pathname,
});

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
  return send(operations[operation], payload, options);
}

/** The same for an operation known only at run time. */
export function callAny(operation: Operation, payload: Payload, options: CallOptions): Promise<unknown> {
  return send(operations[operation], payload, options);
}

/** True for operations that everybody may call, signed in or not. */
export function isOpen(operation: Operation): boolean {
  return operations[operation].open;
}

/** The operation of this name, if there is one. */
export function operationNamed(name: unknown): Operation | undefined {
  return typeof name === 'string' && isOperation(name) ? name : undefined;
}

function isOperation(name: string): name is Operation {
  return Object.hasOwn(operations, name);
}

/** True for lists that are read page by page. */
export function isPaged(operation: Operation): boolean {
  return operations[operation].paged;
}

import { operations } from 'virtual:operations';
import type { Contract, Operation } from '../../shared/contract.ts';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '../../shared/languages.ts';
import type { DataOf, PayloadOf } from '../../shared/route.ts';
import { apiError } from './api-error.ts';
import { wholeFirstView } from './first-view.ts';
import type { Payload, ReadOperation } from './request.ts';
import { type CallOptions, type Cancelled, createSend } from './transport.ts';
import type { WireOperation } from './wire-operation.ts';

export type DataFor<O extends Operation> = DataOf<Contract[O]>;
export type PayloadFor<O extends Operation> = PayloadOf<Contract[O]>;

const send = createSend({
  fetch: (input, init) => fetch(input, init),
  origin: '',
  pagePath: () => location.pathname,
  language: pageLanguage,
});

/** The language that the page is in, and asks its services for. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : FALLBACK_LANGUAGE;
}

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

/** The same for an operation known only at run time. */
export async function callAny(
  operation: Operation,
  payload: Payload,
  options?: CallOptions,
): Promise<unknown> {
  try {
    return await send(await wireOperation(operation), payload, options);
  } finally {
    await wholeFirstView();
  }
}

/** An operation with the shape of its answers, which comes after the first view. @throws ApiError */
export async function wireOperation(operation: Operation): Promise<WireOperation> {
  const { shapes } = await import('virtual:shapes').catch((error: unknown) => {
    throw apiError({ status: 0 }, error);
  });
  const data = shapes[operation];
  return { ...operations[operation], ...(data && { data }) };
}

/** How the query cache of a tab reads. */
export const readOperation: ReadOperation = (operation, payload, signal) =>
  callAny(operation, payload, { signal });

const OPEN = new Set<unknown>(
  Object.entries(operations)
    .filter(([, { open }]) => open)
    .map(([operation]) => operation),
);

/** True for names of operations that everybody may call, signed in or not. */
export function isOpen(operation: unknown): boolean {
  return OPEN.has(operation);
}

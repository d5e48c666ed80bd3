import { operations } from 'virtual:operations';
import { shapes } from 'virtual:shapes';
import type { Operation } from '../../shared/contract.ts';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '../../shared/languages.ts';
import { createSend } from './transport.ts';
import type { WireOperation } from './wire-operation.ts';

/** Sends an operation to the gateway that the page came from. */
export const send = createSend({
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

/** An operation with the shape of its answers. */
export function wireOperation(operation: Operation): WireOperation {
  const data = shapes[operation];
  return { ...operations[operation], ...(data && { data }) };
}

const OPEN = new Set<unknown>(
  Object.entries(operations)
    .filter(([, { open }]) => open)
    .map(([operation]) => operation),
);

/** True for names of operations that everybody may call, signed in or not. */
export function isOpen(operation: unknown): boolean {
  return OPEN.has(operation);
}

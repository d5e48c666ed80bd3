import { operations } from 'virtual:operations';
import { shapes } from 'virtual:shapes';
import type { Operation } from '../../shared/contract.ts';
import { FALLBACK_LANGUAGE, isLanguage, type Language } from '../../shared/languages.ts';
import { createSend } from './transport.ts';
import type { WireOperation } from './wire-operation.ts';

/** Sends an operation to the gateway that served the page. */
export const send = createSend({
  fetch: (input, init) => fetch(input, init),
  origin: '',
  pagePath: () => location.pathname,
  language: pageLanguage,
});

/** The language of the page, which API calls ask for as well. */
export function pageLanguage(): Language {
  const { lang } = document.documentElement;
  return isLanguage(lang) ? lang : FALLBACK_LANGUAGE;
}

/** An operation with the shape of its response. */
export function wireOperation(operation: Operation): WireOperation {
  const data = shapes[operation];
  return { ...operations[operation], ...(data && { data }) };
}

const OPEN = new Set<unknown>(
  Object.entries(operations)
    .filter(([, { open }]) => open)
    .map(([operation]) => operation),
);

/** True for operations that need no session. */
export function isOpen(operation: unknown): boolean {
  return OPEN.has(operation);
}

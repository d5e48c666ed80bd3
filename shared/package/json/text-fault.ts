import { fault, type JsonFault } from './fault.ts';

/** The fault of a text that cannot be stored as UTF-8, or in a database; undefined when there is none. */
export function textFault(text: string, at: number): JsonFault | undefined {
  if (!text.isWellFormed()) return fault('TEXT_LONE_SURROGATE', at);
  return text.includes('\0') ? fault('TEXT_NUL', at) : undefined;
}

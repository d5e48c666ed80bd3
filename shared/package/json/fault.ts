import type { FindingCode } from '../finding-codes.ts';

/** A fault of a JSON text at an offset of it. */
export type JsonFault = {
  code: FindingCode;
  at: number;
  params: Readonly<Record<string, string>>;
  /** Offset of the other place that it is about; its line is the param `line`. */
  otherAt?: number;
};

/** A value or mark that was read, and where it ends. */
export type Scanned<T> = { value: T; end: number };

export function fault(code: FindingCode, at: number, params: JsonFault['params'] = {}): JsonFault {
  return { code, at, params };
}

export function isFault(result: object): result is JsonFault {
  return 'code' in result && 'at' in result;
}

/** The character at an offset as a message shows it. */
export function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0;
  const isPlain = /[^\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}\p{Cs}]/u.test(String.fromCodePoint(point));
  return isPlain ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The run of characters at an offset up to the next mark, as a message shows it. */
export function wordAt(text: string, at: number): string {
  const word = /^[^\s,:;{}[\]"'/]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ?? characterAt(text, at);
}

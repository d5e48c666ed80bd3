import type { FindingCode } from '../finding-codes.ts';

/** An error in a JSON text. */
export type JsonError = {
  code: FindingCode;
  /** Offset in the text. */
  at: number;
  params: Readonly<Record<string, string>>;
  /** Offset of a related place, whose line becomes the param `line`. */
  otherAt?: number;
};

export function jsonError(code: FindingCode, at: number, params: JsonError['params'] = {}): JsonError {
  return { code, at, params };
}

/** The character at an offset for use in a message: itself if it is visible, else U+ and its number. */
export function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0;
  const isVisible = /[^\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}\p{Cs}]/u.test(String.fromCodePoint(point));
  return isVisible ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The characters from an offset up to the next separator, for use in a message. */
function wordAt(text: string, at: number): string {
  const word = /^[^\s,:;{}[\]"'/]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ?? characterAt(text, at);
}

/** The error of a string that cannot be stored as UTF-8 or in PostgreSQL, or undefined. */
export function textError(text: string, at: number): JsonError | undefined {
  if (!text.isWellFormed()) return jsonError('TEXT_LONE_SURROGATE', at);
  return text.includes('\0') ? jsonError('TEXT_NUL', at) : undefined;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const LITERALS = ['true', 'false', 'null'];
const WORD_END = /^[\s,:;{}[\]"'/]/;

/** The error in the string whose opening quote is at `at` (RFC 8259 section 7). */
function stringError(text: string, at: number): JsonError {
  for (let next = at + 1; next < text.length && text[next] !== '"'; next += 1) {
    if (text.charCodeAt(next) < 0x20) {
      return jsonError('JSON_CONTROL_CHARACTER', next, { found: characterAt(text, next) });
    }
    if (text[next] !== '\\') continue;
    ESCAPE.lastIndex = next;
    const escaped = ESCAPE.exec(text)?.[0];
    if (escaped !== undefined) next += escaped.length - 1;
    else if (CUT_ESCAPE.test(text.slice(next, next + 6))) break;
    else return jsonError('JSON_ESCAPE', next, { found: `\\${characterAt(text, next + 1)}` });
  }
  return jsonError('JSON_UNFINISHED', text.length, { expected: '"' });
}

/** The error of the number or word at `at`. */
function wordError(text: string, at: number): JsonError {
  const found = wordAt(text, at);
  if (text[at] === "'" || text[at] === '`') return jsonError('JSON_SINGLE_QUOTE', at);
  if (/^[-+.]*\d|^[-+.]+$/.test(found)) return jsonError('JSON_NUMBER', at, { found });
  const isCut = LITERALS.some((word) => at + found.length === text.length && word.startsWith(found));
  if (isCut) return jsonError('JSON_UNFINISHED', text.length, { expected: found });
  if (/^[-+]?[\p{L}_$]/u.test(found)) return jsonError('JSON_LITERAL', at, { found });
  return jsonError('JSON_VALUE_MISSING', at, { found });
}

/** The state of the parser before the error. */
export type Expected = {
  next: 'value' | 'key' | 'colon' | 'after' | 'end';
  /** Closes the innermost container; empty outside of all. */
  closer: '}' | ']' | '';
  /** Offset of the comma directly before. */
  commaAt?: number | undefined;
  /** Number or literal directly before. */
  word?: { at: number; end: number } | undefined;
};

/** The reason why the text at an offset is not what the grammar expects there. */
export function syntaxError(text: string, at: number, expected: Expected): JsonError {
  const { next, closer, commaAt, word: last } = expected;
  if (at === last?.end && at < text.length && !WORD_END.test(text[at] ?? '')) return wordError(text, last.at);
  if (at >= text.length) return jsonError('JSON_UNFINISHED', text.length, { expected: missingAt(expected) });
  if (text[at] === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) {
    return jsonError('JSON_COMMENT', at);
  }
  const found = characterAt(text, at);
  if (text[at] === closer && commaAt !== undefined)
    return jsonError('JSON_TRAILING_COMMA', commaAt, { found });
  if (text[at] === '"' && (next === 'key' || next === 'value')) return stringError(text, at);
  if (next === 'key') return keyError(text, at, found);
  if (next === 'colon') return jsonError('JSON_SYNTAX', at, { expected: ':', found });
  if (next === 'after') return jsonError('JSON_SYNTAX', at, { expected: `, ${closer}`, found });
  if (next === 'end') return jsonError('JSON_EXTRA', at, { found });
  // jsonc-parser reports a literal and an illegal character after it as one token.
  const word = LITERALS.find((literal) => wordAt(text, at) === literal);
  if (word) return syntaxError(text, at + word.length, { next: closer ? 'after' : 'end', closer });
  return '{}[],/'.includes(found) ? jsonError('JSON_VALUE_MISSING', at, { found }) : wordError(text, at);
}

function missingAt({ next, closer }: Expected): string {
  if (next === 'colon') return ':';
  return next === 'key' ? '}' : closer || '}';
}

const BARE_KEY_MAX = 256;

function keyError(text: string, at: number, found: string): JsonError {
  if (text[at] === "'") return jsonError('JSON_SINGLE_QUOTE', at);
  const key = /^[\p{L}_$][\p{L}\p{N}_$-]*(?=\s*:)/u.exec(text.slice(at, at + BARE_KEY_MAX))?.[0];
  if (key !== undefined) return jsonError('JSON_UNQUOTED_KEY', at, { key });
  return jsonError('JSON_KEY_EXPECTED', at, { found });
}

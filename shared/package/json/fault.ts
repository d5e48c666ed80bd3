import type { FindingCode } from '../finding-codes.ts';

/** A fault of a JSON text at an offset of it. */
export type JsonFault = {
  code: FindingCode;
  at: number;
  params: Readonly<Record<string, string>>;
  /** Offset of the other place that it is about; its line is the param `line`. */
  otherAt?: number;
};

export function fault(code: FindingCode, at: number, params: JsonFault['params'] = {}): JsonFault {
  return { code, at, params };
}

/** The character at an offset as a message shows it. */
export function characterAt(text: string, at: number): string {
  const point = text.codePointAt(at) ?? 0;
  const isPlain = /[^\p{Cc}\p{Cf}\p{Z}\p{Co}\p{Cn}\p{Cs}]/u.test(String.fromCodePoint(point));
  return isPlain ? String.fromCodePoint(point) : `U+${point.toString(16).toUpperCase().padStart(4, '0')}`;
}

/** The run of characters at an offset up to the next mark, as a message shows it. */
function wordAt(text: string, at: number): string {
  const word = /^[^\s,:;{}[\]"'/]{1,40}/.exec(text.slice(at, at + 40))?.[0];
  return word ?? characterAt(text, at);
}

/** The fault of a text that cannot be stored as UTF-8, or in a database; undefined when there is none. */
export function textFault(text: string, at: number): JsonFault | undefined {
  if (!text.isWellFormed()) return fault('TEXT_LONE_SURROGATE', at);
  return text.includes('\0') ? fault('TEXT_NUL', at) : undefined;
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]{0,3})?$/;
const LITERALS = ['true', 'false', 'null'];
const WORD_END = /^[\s,:;{}[\]"'/]/;

/** What is wrong in the string whose opening quote stands at `at` (RFC 8259 section 7). */
function stringFault(text: string, at: number): JsonFault {
  for (let next = at + 1; next < text.length && text[next] !== '"'; next += 1) {
    if (text.charCodeAt(next) < 0x20) {
      return fault('JSON_CONTROL_CHARACTER', next, { found: characterAt(text, next) });
    }
    if (text[next] !== '\\') continue;
    ESCAPE.lastIndex = next;
    const escaped = ESCAPE.exec(text)?.[0];
    if (escaped !== undefined) next += escaped.length - 1;
    else if (CUT_ESCAPE.test(text.slice(next, next + 6))) break;
    else return fault('JSON_ESCAPE', next, { found: `\\${characterAt(text, next + 1)}` });
  }
  return fault('JSON_UNFINISHED', text.length, { expected: '"' });
}

/** What is wrong with the number or word at `at`. */
function wordFault(text: string, at: number): JsonFault {
  const found = wordAt(text, at);
  if (text[at] === "'" || text[at] === '`') return fault('JSON_SINGLE_QUOTE', at);
  if (/^[-+.]*\d|^[-+.]+$/.test(found)) return fault('JSON_NUMBER', at, { found });
  const isCut = LITERALS.some((word) => at + found.length === text.length && word.startsWith(found));
  if (isCut) return fault('JSON_UNFINISHED', text.length, { expected: found });
  if (/^[-+]?[\p{L}_$]/u.test(found)) return fault('JSON_LITERAL', at, { found });
  return fault('JSON_VALUE_MISSING', at, { found });
}

/** What the text must go on with, and what it has just gone on with. */
export type Expected = {
  next: 'value' | 'key' | 'colon' | 'after' | 'end';
  /** Closes what is open; empty outside of all. */
  closer: '}' | ']' | '';
  /** Offset of the comma that was read last, while nothing follows it. */
  commaAt?: number | undefined;
  /** Number or word that was read last. */
  word?: { at: number; end: number } | undefined;
};

/** Why a text cannot go on as it does at an offset. */
export function syntaxFault(text: string, at: number, expected: Expected): JsonFault {
  const { next, closer, commaAt, word: last } = expected;
  if (at === last?.end && at < text.length && !WORD_END.test(text[at] ?? '')) return wordFault(text, last.at);
  if (at >= text.length) return fault('JSON_UNFINISHED', text.length, { expected: missingAt(expected) });
  if (text[at] === '#' || text.startsWith('//', at) || text.startsWith('/*', at)) {
    return fault('JSON_COMMENT', at);
  }
  const found = characterAt(text, at);
  if (text[at] === closer && commaAt !== undefined) return fault('JSON_TRAILING_COMMA', commaAt, { found });
  if (text[at] === '"' && (next === 'key' || next === 'value')) return stringFault(text, at);
  if (next === 'key') return keyFault(text, at, found);
  if (next === 'colon') return fault('JSON_SYNTAX', at, { expected: ':', found });
  if (next === 'after') return fault('JSON_SYNTAX', at, { expected: `, ${closer}`, found });
  if (next === 'end') return fault('JSON_EXTRA', at, { found });
  // The parser takes a word and what must not follow it for one.
  const word = LITERALS.find((literal) => wordAt(text, at) === literal);
  if (word) return syntaxFault(text, at + word.length, { next: closer ? 'after' : 'end', closer });
  return '{}[],/'.includes(found) ? fault('JSON_VALUE_MISSING', at, { found }) : wordFault(text, at);
}

function missingAt({ next, closer }: Expected): string {
  if (next === 'colon') return ':';
  return next === 'key' ? '}' : closer || '}';
}

const BARE_KEY_MAX = 256;

function keyFault(text: string, at: number, found: string): JsonFault {
  if (text[at] === "'") return fault('JSON_SINGLE_QUOTE', at);
  const key = /^[\p{L}_$][\p{L}\p{N}_$-]*(?=\s*:)/u.exec(text.slice(at, at + BARE_KEY_MAX))?.[0];
  if (key !== undefined) return fault('JSON_UNQUOTED_KEY', at, { key });
  return fault('JSON_KEY_EXPECTED', at, { found });
}

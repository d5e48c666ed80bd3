import { characterAt, fault, type JsonFault, type Scanned, wordAt } from './fault.ts';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const ESCAPES = new Set(Array.from('"\\/bfnrt', (character) => character.charCodeAt(0)));
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const FOUR_HEX = /[0-9a-fA-F]{4}/y;
const CUT_ESCAPE = /^\\(?:u[0-9a-fA-F]*)?$/;
const WORD_END = /[\s,:;{}[\]"'/]|$/y;
const LITERALS: readonly [word: string, value: true | false | null][] = [
  ['true', true],
  ['false', false],
  ['null', null],
];

/** The string whose opening quote stands at `at` (RFC 8259 section 7). */
export function scanString(text: string, at: number): Scanned<string> | JsonFault {
  let hasEscape = false;
  for (let next = at + 1; next < text.length; next += 1) {
    const unit = text.charCodeAt(next);
    if (unit === QUOTE) {
      const raw = text.slice(at + 1, next);
      return { value: hasEscape ? unescaped(raw) : raw, end: next + 1 };
    }
    if (unit < 0x20) {
      return fault('JSON_CONTROL_CHARACTER', next, { found: characterAt(text, next) });
    }
    if (unit === BACKSLASH) {
      hasEscape = true;
      const length = escapeLength(text, next);
      if (length === 0) {
        return CUT_ESCAPE.test(text.slice(next, next + 6)) && next + 6 > text.length
          ? fault('JSON_UNFINISHED', text.length, { expected: '"' })
          : fault('JSON_ESCAPE', next, { found: `\\${characterAt(text, next + 1)}` });
      }
      next += length - 1;
    }
  }
  return fault('JSON_UNFINISHED', text.length, { expected: '"' });
}

/** Its escapes are known to be right, so the platform's own reader makes the string, and fast. */
function unescaped(raw: string): string {
  return String(JSON.parse(`"${raw}"`));
}

function escapeLength(text: string, at: number): number {
  const unit = text.charCodeAt(at + 1);
  if (ESCAPES.has(unit)) return 2;
  if (unit !== 0x75) return 0;
  FOUR_HEX.lastIndex = at + 2;
  return FOUR_HEX.test(text) ? 6 : 0;
}

/** The number, `true`, `false` or `null` that stands at `at`. */
export function scanScalar(text: string, at: number): Scanned<number | boolean | null> | JsonFault {
  for (const [word, value] of LITERALS) {
    if (text.startsWith(word, at) && endsWord(text, at + word.length)) {
      return { value, end: at + word.length };
    }
  }
  NUMBER.lastIndex = at;
  const digits = NUMBER.exec(text)?.[0];
  if (digits !== undefined && endsWord(text, at + digits.length)) {
    const value = Number(digits);
    if (Number.isFinite(value)) return { value, end: at + digits.length };
    return fault('JSON_NUMBER_RANGE', at, { found: digits });
  }
  return notAValue(text, at);
}

function endsWord(text: string, at: number): boolean {
  WORD_END.lastIndex = at;
  return WORD_END.test(text);
}

function notAValue(text: string, at: number): JsonFault {
  const found = wordAt(text, at);
  if (text[at] === "'" || text[at] === '`') return fault('JSON_SINGLE_QUOTE', at);
  if (/^[-+.]*\d|^[-+.]+$/.test(found)) return fault('JSON_NUMBER', at, { found });
  const cutLiteral = LITERALS.some(([word]) => at + found.length === text.length && word.startsWith(found));
  if (cutLiteral) return fault('JSON_UNFINISHED', text.length, { expected: found });
  if (/^[-+]?[\p{L}_$]/u.test(found)) return fault('JSON_LITERAL', at, { found });
  return fault('JSON_VALUE_MISSING', at, { found });
}

import type { FindingCode } from '../finding-codes.ts';

/** The text of a file; or why its bytes are no UTF-8 text, with the offset of the first wrong byte. */
type Decoded = { text: string } | { code: FindingCode; at: number; params: Readonly<Record<string, string>> };

/**
 * Byte order marks, and the first bytes of JSON without one in UTF-16 and UTF-32. "{" matches any byte that JSON can
 * begin with, "t" any ASCII character.
 */
const WIDE_ENCODINGS: readonly [encoding: string, start: readonly (number | '{' | 't')[]][] = [
  ['UTF-32BE', [0, 0, 0xfe, 0xff]],
  ['UTF-32LE', [0xff, 0xfe, 0, 0]],
  ['UTF-16BE', [0xfe, 0xff]],
  ['UTF-16LE', [0xff, 0xfe]],
  ['UTF-32BE', [0, 0, 0, '{']],
  ['UTF-32LE', ['{', 0, 0, 0]],
  ['UTF-16BE', [0, '{', 0, 't']],
  ['UTF-16LE', ['{', 0, 't', 0]],
];

const SPACE = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** First characters of an object, an array, or a comment in front of one. */
const JSON_START = new Set(Array.from('{[/#', (character) => character.charCodeAt(0)));

/** Offset of the first byte after byte order mark and white space. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (SPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

/** Whether bytes begin like a JSON object or array, or a comment in front of one, in any encoding. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  return wideEncodingOf(bytes) !== undefined || JSON_START.has(bytes[startOf(bytes)] ?? 0);
}

function wideEncodingOf(bytes: Uint8Array): string | undefined {
  return WIDE_ENCODINGS.find(([, start]) => start.every((byte, index) => matches(bytes[index], byte)))?.[0];
}

function matches(byte: number | undefined, pattern: number | '{' | 't'): boolean {
  if (byte === undefined) return false;
  if (pattern === '{') return JSON_START.has(byte);
  if (pattern === 't') return SPACE.has(byte) || (byte > 0x20 && byte < 0x7f);
  return byte === pattern;
}

/** Decodes UTF-8 without its byte order mark (RFC 8259 section 8.1); names the encoding if it is another one. */
export function decodeJson(bytes: Uint8Array): Decoded {
  const encoding = wideEncodingOf(bytes);
  if (encoding !== undefined) return { code: 'ENCODING_UTF16', at: 0, params: { encoding } };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    if (!looksLikeJson(bytes)) return { code: 'NOT_JSON', at: 0, params: {} };
    return { code: 'ENCODING_INVALID', at: firstInvalidByte(bytes), params: {} };
  }
}

/** Offset of the first byte that is not valid UTF-8, by binary search: no prefix that includes it can be decoded. */
function firstInvalidByte(bytes: Uint8Array): number {
  let valid = 0;
  let invalid = bytes.length;
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (isUtf8Prefix(bytes.subarray(0, middle))) valid = middle;
    else invalid = middle;
  }
  return valid;
}

function isUtf8Prefix(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return true;
  } catch {
    return false;
  }
}

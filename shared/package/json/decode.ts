import type { FindingCode } from '../finding-codes.ts';

/** What a file's bytes are as text; or why they are none, and at which byte. */
type Decoded = { text: string } | { code: FindingCode; at: number; params: Readonly<Record<string, string>> };

/**
 * Byte order marks, and how JSON begins in encodings that have zeros in them: "{" stands for a byte that JSON can
 * begin with, "t" for any character of ASCII.
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
/** What a JSON text of use here can begin with: an object or a list, or a comment before it. */
const JSON_START = new Set(Array.from('{[/#', (character) => character.charCodeAt(0)));

/** Offset of the first byte that is neither byte order mark nor white space. */
function startOf(bytes: Uint8Array): number {
  let at = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
  while (SPACE.has(bytes[at] ?? 0)) at += 1;
  return at;
}

/** True when bytes begin as a JSON object or list, or a comment before one, in whatever encoding. */
export function looksLikeJson(bytes: Uint8Array): boolean {
  return wideEncodingOf(bytes) !== undefined || JSON_START.has(bytes[startOf(bytes)] ?? 0);
}

function wideEncodingOf(bytes: Uint8Array): string | undefined {
  return WIDE_ENCODINGS.find(([, start]) => start.every((byte, index) => fits(bytes[index], byte)))?.[0];
}

function fits(byte: number | undefined, wanted: number | '{' | 't'): boolean {
  if (byte === undefined) return false;
  if (wanted === '{') return JSON_START.has(byte);
  if (wanted === 't') return SPACE.has(byte) || (byte > 0x20 && byte < 0x7f);
  return byte === wanted;
}

/** Text of UTF-8 bytes, without a byte order mark (RFC 8259 section 8.1); other encodings are told by name. */
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

/** Offset of the first byte that is no UTF-8, found by halving: decoding a prefix fails from there on. */
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

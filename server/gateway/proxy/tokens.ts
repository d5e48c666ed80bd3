import type { Session } from '../session/session.ts';
import { tokensOf } from '../session/sessions.ts';
import type { ProxyCall } from './access.ts';

declare global {
  /** ECMAScript's JSON.parse source text access; TypeScript's libraries do not declare it yet. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Masks a session's tokens in responses. Lengths do not change. */
export type TokenMask = {
  /** Returns the masked bytes that can be sent; a possible start of a token is held back until the next chunk. */
  push(chunk: Buffer): Buffer;
  /** Returns the held-back bytes at the end of the body. */
  end(): Buffer;
  /** Masks a complete body in place. */
  whole(body: Buffer): Buffer;
  /** Masks a header value. */
  text(value: string): string;
};

/** Tokens cannot contain it (RFC 6750 section 2.1), so masking cannot create one. */
const MASK = '*';
/** Shorter tokens would occur in every text. */
const MIN_TOKEN_LENGTH = 8;

/** Not percent-encoded in a URL (RFC 3986 section 2.3). */
const UNRESERVED = /^[\w.~-]*$/;

const NOTHING = Buffer.alloc(0);
const BACKSLASH = 0x5c;
const ESCAPES = [Buffer.from('\\u'), Buffer.from('\\/')];
/** An incomplete escape at the end of a chunk. */
const HALF_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;

/** Search patterns of tokens, prepared once for all responses of a session. */
type TokenPatterns = { spellings: readonly string[]; needles: readonly Buffer[]; shortest: number };

export function createTokenPatterns(tokens: readonly string[]): TokenPatterns {
  const spellings = tokens
    .filter((token) => token.length >= MIN_TOKEN_LENGTH)
    .flatMap((token) => (UNRESERVED.test(token) ? [token] : [token, encodeURIComponent(token)]));
  return {
    spellings,
    needles: spellings.map((spelling) => Buffer.from(spelling)),
    shortest: Math.min(...spellings.map(({ length }) => length)),
  };
}

const patternsBySession = new WeakMap<Session, TokenPatterns>();

/** Patterns of all tokens that the response to a call might contain; undefined if there are none. */
export function tokenPatternsOf({
  request: { sessionState: state },
  tokens,
}: ProxyCall): TokenPatterns | undefined {
  if (state?.kind !== 'signed-in') return tokens.length > 0 ? createTokenPatterns(tokens) : undefined;
  const { session, fromCookie } = state;
  if (fromCookie !== session) return createTokenPatterns(tokensOf([session, fromCookie]));
  const patterns = patternsBySession.get(session) ?? createTokenPatterns(tokensOf([session]));
  patternsBySession.set(session, patterns);
  return patterns;
}

/** `readsEscapes`: a text body, in which tokens may have JSON escapes (RFC 8259 section 7). */
export function createTokenMask(
  { spellings, needles, shortest }: TokenPatterns,
  { readsEscapes }: { readsEscapes: boolean },
): TokenMask {
  let pending = NOTHING;

  /** Overwrites every token in place. Returns the index from which the bytes must be held back. */
  function mask(bytes: Buffer, isLast: boolean): number {
    for (const needle of needles) overwrite(bytes, needle, bytes);
    const end = isLast ? bytes.length : startOfRest(bytes, needles);
    if (!readsEscapes || !ESCAPES.some((start) => bytes.includes(start))) {
      return isLast || !readsEscapes ? end : Math.min(end, startOfEscape(bytes));
    }
    const { text, places } = unescaped(bytes);
    for (const needle of needles) overwrite(text, needle, bytes, places);
    return isLast ? end : Math.min(end, places[startOfRest(text, needles)] ?? end);
  }

  return {
    push(chunk) {
      const bytes = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = mask(bytes, false);
      pending = end === bytes.length ? NOTHING : Buffer.from(bytes.subarray(end));
      return bytes.subarray(0, end);
    },
    end() {
      const rest = pending;
      pending = NOTHING;
      mask(rest, true);
      return rest;
    },
    whole(body) {
      mask(body, true);
      return body;
    },
    text: (value) =>
      value.length < shortest
        ? value
        : spellings.reduce((masked, token) => masked.replaceAll(token, MASK.repeat(token.length)), value),
  };
}

/** Masks each occurrence of `needle` in `text`; `places` maps an index of `text` to one of `bytes`. */
function overwrite(text: Buffer, needle: Buffer, bytes: Buffer, places?: Uint32Array): void {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    const end = at + needle.length;
    bytes.fill(MASK, places?.[at] ?? at, places?.[end] ?? end);
  }
}

/** Start of the longest suffix of `text` that is a prefix of a needle; the length of `text` if there is none. */
function startOfRest(text: Buffer, needles: readonly Buffer[]): number {
  let start = text.length;
  for (const needle of needles) {
    const [first = 0] = needle;
    let at = text.indexOf(first, Math.max(0, text.length - needle.length + 1));
    while (at !== -1 && at < start) {
      if (needle.compare(text, at, text.length, 0, text.length - at) === 0) start = at;
      at = text.indexOf(first, at + 1);
    }
  }
  return start;
}

function startOfEscape(bytes: Buffer): number {
  const rest = HALF_ESCAPE.exec(bytes.subarray(-5).toString('latin1'))?.[0] ?? '';
  return bytes.length - rest.length;
}

/** The unescaped text, and the original index of each of its bytes. An incomplete escape at the end is omitted. */
function unescaped(bytes: Buffer): { text: Buffer; places: Uint32Array } {
  const text = Buffer.alloc(bytes.length);
  const places = new Uint32Array(bytes.length + 1);
  let length = 0;
  let at = 0;
  while (at < bytes.length) {
    const isEscape = bytes[at] === BACKSLASH;
    const isUnicode = isEscape && bytes[at + 1] === 0x75;
    const next = at + (isUnicode ? 6 : isEscape ? 2 : 1);
    if (next > bytes.length) break;
    places[length] = at;
    text[length] = isUnicode
      ? Number.parseInt(bytes.toString('latin1', at + 2, next), 16)
      : (bytes[next - 1] ?? 0);
    length += 1;
    at = next;
  }
  places[length] = at;
  return { text: text.subarray(0, length), places: places.subarray(0, length + 1) };
}

/** Normalized names of fields that are removed from user info. */
const TOKEN_FIELDS: ReadonlySet<string> = new Set(['accesstoken', 'refreshtoken']);

const normalizedName = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** A parsed value without token fields, at any depth (R 8.1). */
export function withoutTokenFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokenFields);
  // A raw number (`JSON.rawJSON`) is an object as well.
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  const passed = Object.entries(value).filter(([name]) => !TOKEN_FIELDS.has(normalizedName(name)));
  return Object.fromEntries(passed.map(([name, inner]) => [name, withoutTokenFields(inner)]));
}

/** Removes token fields from a body. A body that is not JSON is unchanged, or emptied if its content type is JSON. */
export function bodyWithoutTokenFields(body: Buffer, { isJson }: { isJson: boolean }): Buffer {
  try {
    return Buffer.from(JSON.stringify(withoutTokenFields(parsed(body))));
  } catch {
    return isJson ? Buffer.alloc(0) : body;
  }
}

/** Keeps the source text of numbers: services use larger integers than JavaScript. */
function parsed(body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
  );
}

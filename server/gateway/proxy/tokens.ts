import type { Session } from '../session/session.ts';
import { tokensOf } from '../session/sessions.ts';
import type { ProxyCall } from './access.ts';

declare global {
  /** ECMAScript's access to the source text of JSON, which TypeScript's libraries do not know yet. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Takes a session's own tokens out of what passes to a browser, byte for byte: lengths stay as they are. */
export type TokenMask = {
  /** What of a body may go out by now; what could be the beginning of a token waits for the next piece. */
  push(chunk: Buffer): Buffer;
  /** What has waited when the body ends. */
  end(): Buffer;
  /** A body that is here as a whole. */
  whole(body: Buffer): Buffer;
  /** A header's value. */
  text(value: string): string;
};

/** What stands in a token's place. No token holds it (RFC 6750 section 2.1), so none comes about by it either. */
const MASK = '*';
/** Shorter ones hide nothing: they would be found in every text. */
const SHORTEST = 8;

/** Written in an address as it is (RFC 3986 section 2.3). */
const UNRESERVED = /^[\w.~-]*$/;

const NOTHING = Buffer.alloc(0);
const BACKSLASH = 0x5c;
const ESCAPES = [Buffer.from('\\u'), Buffer.from('\\/')];
/** Beginning of an escape whose rest has not come. */
const HALF_ESCAPE = /\\(?:u[0-9a-f]{0,3})?$/i;

/** What is looked for, made ready once for all answers to a session. */
type Wanted = { spellings: readonly string[]; needles: readonly Buffer[]; shortest: number };

export function wantedOf(tokens: readonly string[]): Wanted {
  const spellings = tokens
    .filter((token) => token.length >= SHORTEST)
    .flatMap((token) => (UNRESERVED.test(token) ? [token] : [token, encodeURIComponent(token)]));
  return {
    spellings,
    needles: spellings.map((spelling) => Buffer.from(spelling)),
    shortest: Math.min(...spellings.map(({ length }) => length)),
  };
}

const wantedBySession = new WeakMap<Session, Wanted>();

/** The tokens of a session's copies, mostly one and the same, or of the browser, as they are looked for in responses. */
export function wantedIn({ request: { sessionState: state }, tokens }: ProxyCall): Wanted | undefined {
  if (state?.kind !== 'signed-in') return tokens.length > 0 ? wantedOf(tokens) : undefined;
  const { session, fromCookie } = state;
  if (fromCookie !== session) return wantedOf(tokensOf([session, fromCookie]));
  const wanted = wantedBySession.get(session) ?? wantedOf(tokensOf([session]));
  wantedBySession.set(session, wanted);
  return wanted;
}

/**
 * `readsEscapes`: the body is a text, in which a token may be written with JSON's escapes (RFC 8259 section 7). Binary
 * bodies are searched for the token as it is.
 */
export function createTokenMask(
  { spellings, needles, shortest }: Wanted,
  { readsEscapes }: { readsEscapes: boolean },
): TokenMask {
  let pending = NOTHING;

  /** Writes over every token in these bytes, and answers from where on there may be the beginning of one. */
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

/** Fills each place of `needle` in `text`; `places`: where a byte of the text lies in `bytes`. */
function overwrite(text: Buffer, needle: Buffer, bytes: Buffer, places?: Uint32Array): void {
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    const end = at + needle.length;
    bytes.fill(MASK, places?.[at] ?? at, places?.[end] ?? end);
  }
}

/** Start of the longest rest of `text` with which one of the needles begins; its end when there is none. */
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

/** A text without its escapes, and where each of its bytes lies. An escape that is not complete is left out. */
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

/** Names of fields that no answer about a user may have, as `spelled` writes them. */
const TOKEN_FIELDS: ReadonlySet<string> = new Set(['accesstoken', 'refreshtoken']);

const spelled = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** A parsed value without fields for tokens, at any depth (specification section 3, user info). */
export function withoutTokenFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokenFields);
  // A number in its own spelling (`JSON.rawJSON`) is an object as well.
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  const passed = Object.entries(value).filter(([name]) => !TOKEN_FIELDS.has(spelled(name)));
  return Object.fromEntries(passed.map(([name, inner]) => [name, withoutTokenFields(inner)]));
}

/**
 * The body of an answer about a user without fields for tokens. What is no JSON passes as it is, unless it says that it
 * is: then nothing of it passes.
 */
export function bodyWithoutTokenFields(body: Buffer, { isJson }: { isJson: boolean }): Buffer {
  try {
    return Buffer.from(JSON.stringify(withoutTokenFields(parsed(body))));
  } catch {
    return isJson ? Buffer.alloc(0) : body;
  }
}

/** Numbers keep their spelling: services count in larger ones than JavaScript does. */
function parsed(body: Buffer): unknown {
  const text = body.toString('utf8').replace(/^\uFEFF/, '');
  return JSON.parse(text, (_name, value: unknown, context?: { source?: string }) =>
    typeof value === 'number' && context?.source !== undefined ? JSON.rawJSON(context.source) : value,
  );
}

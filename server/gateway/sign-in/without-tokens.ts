import { isObject } from '../upstream/ask.ts';

/** Fields that hold what no browser may have, by their names. */
const SECRET_NAME = /token|secret|password|authorization|cookie|code_verifier/i;
/** A `code` deeper than the envelope's own is one to sign in with. */
const CODE_NAME = /^(?:auth(?:orization)?_?|login_?)?code$/i;
/** Codes of an envelope: a number, or a word in capitals. */
const ENVELOPE_CODE = /^(?:\d{1,6}|[A-Z][A-Z_]{2,63})$/;
/** JSON Web Tokens give themselves away wherever they stand (RFC 7519 section 3). */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]*/;
const DEPTH = 8;

/** A body that may leave the gateway: without tokens, codes, and strings in which one of `secrets` stands. */
export function withoutTokens(
  body: Record<string, unknown>,
  secrets: readonly string[] = [],
): Record<string, unknown> {
  const isSecret = (text: string): boolean =>
    JWT.test(text) || secrets.some((secret) => text.includes(secret));

  function cleanObject(value: Record<string, unknown>, depth: number): Record<string, unknown> {
    const kept = Object.entries(value).flatMap(([name, inner]) => {
      if (SECRET_NAME.test(name) || isSecret(name) || (CODE_NAME.test(name) && !isEnvelopeCode(inner, depth)))
        return [];
      const cleaned = clean(inner, depth + 1);
      return cleaned === undefined ? [] : [[name, cleaned] as const];
    });
    return Object.fromEntries(kept);
  }
  function clean(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return isSecret(value) ? undefined : value;
    if (depth > DEPTH) return undefined;
    if (Array.isArray(value)) {
      return value.map((item) => clean(item, depth + 1)).filter((item) => item !== undefined);
    }
    return isObject(value) ? cleanObject(value, depth) : value;
  }
  return cleanObject(body, 0);
}

function isEnvelopeCode(value: unknown, depth: number): boolean {
  return (
    depth === 0 && (typeof value === 'number' || (typeof value === 'string' && ENVELOPE_CODE.test(value)))
  );
}

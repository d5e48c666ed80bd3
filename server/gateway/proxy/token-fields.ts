declare global {
  /** ECMAScript's access to the source text of JSON, which TypeScript's libraries do not know yet. */
  interface JSON {
    rawJSON(text: string): object;
    isRawJSON(value: unknown): boolean;
  }
}

/** Names of fields that no answer about a user may have, as `spelled` writes them. */
const TOKEN_FIELDS: ReadonlySet<string> = new Set(['accesstoken', 'refreshtoken']);

const spelled = (name: string): string => name.toLowerCase().replace(/[_-]/g, '');

/** A parsed value without fields for tokens, at any depth (specification section 3, user info). */
export function withoutTokenFields(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTokenFields);
  // A number in its own spelling (`JSON.rawJSON`) is an object as well.
  if (typeof value !== 'object' || value === null || JSON.isRawJSON(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !TOKEN_FIELDS.has(spelled(name)));
  return Object.fromEntries(kept.map(([name, inner]) => [name, withoutTokenFields(inner)]));
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

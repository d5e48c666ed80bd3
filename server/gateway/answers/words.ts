import type { IncomingMessage } from 'node:http';

/** What a request says, in one string, and what it says that no answer depends on. */
export type Words = { text: string; ifNoneMatch: string | undefined; traceparent: string | undefined };

/** They change from request to request: which one it is, on whose behalf, and what the browser has of it already. */
const INDIFFERENT: ReadonlySet<string> = new Set(
  [
    'forwarded',
    'if-none-match',
    'referer',
    'traceparent',
    'tracestate',
    'x-forwarded-for',
    'x-real-ip',
    'x-request-id',
  ].flatMap((name) => [name, name.replace(/(?:^|-)[a-z]/g, (start) => start.toUpperCase())]),
);

/** Characters of a header up to which a request is looked at here: a longer one is a session's cookies. */
const LONGEST = 1024;

/**
 * The words of a GET: its address and all its headers as they came, but for those that no answer depends on. Two requests
 * with the same words are answered alike, so what follows from them need not be found out twice.
 */
export function wordsOf(request: IncomingMessage): Words | undefined {
  if (request.method !== 'GET') return undefined;
  const { rawHeaders } = request;
  let text = `${request.url}`;
  let ifNoneMatch: string | undefined;
  let traceparent: string | undefined;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (value.length > LONGEST) return undefined;
    if (!INDIFFERENT.has(name)) text += `\n${name}:${value}`;
    else if (name.length === 'if-none-match'.length) ifNoneMatch = value;
    else if (name.length === 'traceparent'.length) traceparent = value;
  }
  return { text, ifNoneMatch, traceparent };
}

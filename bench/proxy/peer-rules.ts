/** Headers that the comparable peers forward, and the tokens in their sessions, as large as ours. */

export const TOKENS = { access: 'a'.repeat(1600), refresh: 'r'.repeat(300) };

export const REQUEST_HEADERS = ['accept', 'accept-encoding', 'content-type', 'content-length', 'user-agent'];
export const RESPONSE_HEADERS = [
  'cache-control',
  'content-encoding',
  'content-length',
  'content-type',
  'etag',
];

type Headers = Readonly<Record<string, string | string[] | undefined>>;

export function pick(headers: Headers, names: readonly string[]): Record<string, string | string[]> {
  const picked: Record<string, string | string[]> = {};
  for (const name of names) {
    const value = headers[name];
    if (value !== undefined) picked[name] = value;
  }
  return picked;
}

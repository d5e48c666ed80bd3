import type { Pool } from 'undici';
import { pluginOf, type Size } from '../../../bench/data/plugin.ts';
import { commonWords } from '../../../bench/data/texts.ts';
import { LANGUAGES } from '../../../shared/languages.ts';
import { cookieHeader, storeCookie } from '../../support/browser.ts';
import { until } from '../../support/until.ts';

/** A request, its expected status, and its share in percent. */
type Kind = {
  share: number;
  status: number;
  ask: (n: number, cookie: string) => Parameters<Pool['request']>[0];
};

const CALL = { 'x-requested-with': 'plugin-square', 'sec-fetch-site': 'same-origin' };
const PAGE = { accept: 'text/html', 'sec-fetch-site': 'none' };
const words = LANGUAGES.flatMap(commonWords);

/** Keys of the public plugins of a catalogue. */
function keysOf(size: Size): string[] {
  return Array.from({ length: size.count }, (_, index) => pluginOf(index + 1, size)).flatMap((plugin) =>
    plugin.audit_status === 2 && !plugin.is_hidden ? plugin.plugin_key : [],
  );
}

const languageOf = (n: number): { 'accept-language': string } => ({
  'accept-language': LANGUAGES[n % LANGUAGES.length] ?? 'en-US',
});
const wordOf = (n: number): string => encodeURIComponent(words[n % words.length] ?? '');

function get(path: string, headers: Record<string, string>): Parameters<Pool['request']>[0] {
  return { method: 'GET', path, headers };
}

function send(path: string, cookie: string, body: string): Parameters<Pool['request']>[0] {
  return {
    method: 'POST',
    path,
    headers: { ...CALL, cookie, 'content-type': 'application/json' },
    body,
  };
}

/** Requests of visitors, signed-in users and faulty programs about these plugins. */
function kindsOf(keys: readonly string[]): Kind[] {
  const keyOf = (n: number): string => keys[n % keys.length] ?? '';
  return [
    { share: 10, status: 200, ask: (n) => get('/plugins/', { ...PAGE, ...languageOf(n) }) },
    { share: 10, status: 200, ask: (n) => get(`/plugins/plugin/${keyOf(n)}`, { ...PAGE, ...languageOf(n) }) },
    { share: 5, status: 200, ask: (n, cookie) => get('/plugins/', { ...PAGE, ...languageOf(n), cookie }) },
    {
      share: 20,
      status: 200,
      ask: (n) => get('/api/cmt/plugin/list?limit=24', { ...CALL, ...languageOf(n) }),
    },
    { share: 15, status: 200, ask: (n) => get(`/api/cmt/plugin/list?keyword=${wordOf(n)}`, CALL) },
    {
      share: 10,
      status: 200,
      ask: (n, cookie) => get('/api/cmt/plugin/list', { ...CALL, cookie, ...languageOf(n) }),
    },
    { share: 5, status: 200, ask: (_n, cookie) => get('/api/auth/session', { ...CALL, cookie }) },
    {
      share: 10,
      status: 200,
      ask: (n, cookie) =>
        send(
          '/api/cmt/plugin/user/praise',
          cookie,
          JSON.stringify({ plugin_key: keyOf(n), praise: n % 2 === 0 ? 1 : -1 }),
        ),
    },
    {
      share: 5,
      status: 200,
      ask: (n, cookie) => send('/api/cmt/plugin/view', cookie, JSON.stringify({ plugin_key: keyOf(n) })),
    },
    {
      share: 2,
      status: 400,
      ask: (_n, cookie) => send('/api/cmt/plugin/user/praise', cookie, '{"plugin_key":'),
    },
    { share: 2, status: 403, ask: (_n, cookie) => get('/api/cmt/plugin/list', { cookie }) },
    { share: 2, status: 401, ask: (n) => send('/api/cmt/plugin/user', '', `{"plugin_key":"${keyOf(n)}"}`) },
    { share: 2, status: 404, ask: (n) => get(`/api/cmt/plugin/nothing-${n % 50}`, CALL) },
    { share: 2, status: 404, ask: (n) => get(`/plugins/assets/nothing-${n % 50}.js`, {}) },
  ];
}

/** The kind of request number n, in a fixed order that is well mixed because 37 and 100 have no common divisor. */
export type Mix = (n: number) => Kind;

export function mixFor(size: Size): Mix {
  const hundred = kindsOf(keysOf(size)).flatMap((kind) => Array.from({ length: kind.share }, () => kind));
  return (n) => {
    const kind = hundred[(n * 37) % 100];
    if (!kind) throw new Error('the shares of requests must add up to 100');
    return kind;
  };
}

/** Cookies by name, updated by answers. */
export type Jar = Map<string, string>;

/**
 * Sends `count` requests from number `from` on, `concurrency` at a time, and again after 503; returns unexpected answers as
 * "status path".
 */
export async function sendMixed(
  pool: Pool,
  {
    mix,
    from,
    count,
    jar,
    concurrency,
  }: { mix: Mix; from: number; count: number; jar: Jar; concurrency: number },
): Promise<string[]> {
  const wrong: string[] = [];
  let next = from;
  async function one(): Promise<void> {
    while (next < from + count) {
      const n = next;
      next += 1;
      const kind = mix(n);
      const { path, status } = await until(() => askOnce(kind, n));
      if (status !== kind.status) wrong.push(`${status} ${path}`);
    }
  }
  /** @returns undefined where a busy machine could not answer in time */
  async function askOnce(kind: Kind, n: number): Promise<{ path: string; status: number } | undefined> {
    const request = kind.ask(n, cookieHeader(jar));
    const { statusCode: status, headers, body } = await pool.request(request);
    for (const line of [headers['set-cookie'] ?? []].flat()) storeCookie(jar, line);
    await body.dump();
    return status === 503 ? undefined : { path: request.path, status };
  }
  await Promise.all(Array.from({ length: concurrency }, one));
  return wrong;
}

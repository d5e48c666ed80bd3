import { send } from '../../support/browser.ts';
import type { Check } from '../check.ts';
import { LIST, same } from '../expect.ts';

const TOOL = 'https://tool.example';
const STRANGER = 'https://evil.example';
const STATE = '/api/cmt/plugin/user/state';
/** The session cookie of https and of plain http. */
const SESSION = '__Host-Http-session=x; session=x';
const bearer = { authorization: 'Bearer opaque-token-of-the-user-service' };

/** Design tools, whose calls come from other origins and with a token. */
export const originChecks: readonly Check[] = [
  {
    id: 'cors-of-strangers',
    title: 'only origins that the operator names read the Client API, without credentials, and nothing else',
    async run({ start, upstream, dialect }) {
      const { url } = await start({ settings: { CLIENT_ORIGINS: TOOL } });
      upstream.on(`GET ${LIST}`, () => ({ total: 0 }));
      const granted = async (path: string, method: string, headers: Record<string, string>) =>
        Object.entries((await send(url, path, { method, headers })).headers)
          .filter(([name]) => name.startsWith('access-control-allow'))
          .map(([name, value]) => `${name}: ${value}`);
      const asks = { 'access-control-request-method': 'GET' };
      same(await granted(LIST, 'GET', { origin: TOOL }), [`access-control-allow-origin: ${TOOL}`], 'a call');
      same(
        await granted(LIST, 'OPTIONS', { origin: TOOL, ...asks }),
        [
          `access-control-allow-origin: ${TOOL}`,
          'access-control-allow-methods: GET',
          'access-control-allow-headers: accept-language, authorization, content-type, dpop, if-none-match, if-range, range',
        ],
        'a preflight',
      );
      for (const [path, headers] of [
        [LIST, { origin: STRANGER }],
        [LIST, { origin: `${TOOL}.evil.example` }],
        [LIST, { origin: 'null' }],
        [LIST, { origin: TOOL, cookie: 'session=x' }],
        [LIST, { origin: STRANGER, cookie: 'session=x' }],
        [dialect.sessionPath, { origin: TOOL }],
        ['/plugins/', { origin: TOOL }],
      ] as const) {
        same(await granted(path, 'GET', headers), [], `${path} with ${JSON.stringify(headers)}`);
        same(await granted(path, 'OPTIONS', { ...headers, ...asks }), [], `the preflight of ${path}`);
      }
    },
  },
  {
    id: 'tokens-of-tools',
    title:
      'a token of the user service passes only where the operator says so, on calls for tools, and beside no cookie',
    async run({ start, upstream }) {
      upstream.on(`GET ${STATE}`, () => ({ plugin_list: [] }));
      const elsewhere = { LOGIN_URL: 'https://login.example/' };
      const closed = await start({ settings: elsewhere });
      const open = await start({ settings: { ...elsewhere, CLIENT_TOKENS: 'user-service' } });
      const status = async (url: string, path: string, headers: Record<string, string> = {}) =>
        (await send(url, path, { headers: { ...bearer, ...headers } })).status;
      same(await status(closed.url, STATE), 403, 'without the setting');
      same(await status(open.url, STATE, { cookie: SESSION }), 403, 'beside a cookie');
      same(await status(open.url, STATE, { origin: STRANGER }), 403, 'from a page of another origin');
      same(await status(open.url, '/api/cmt/plugin/user/list'), 403, 'outside the Client API');
      same(upstream.seen(`GET ${STATE}`).length, 0, 'calls that reached a service');
      same(await status(open.url, STATE), 200, 'with the setting');
      same(
        upstream.seen(`GET ${STATE}`)[0]?.headers.authorization,
        bearer.authorization,
        'what is passed on',
      );
    },
  },
];

import type { Received } from '../../support/browser.ts';
import type { Check } from '../check.ts';
import { ARTICLE, INSTALL, LIST, same, untouched } from '../expect.ts';

/** CSRF protection. */
function calls(paths: { sessionPath: string; logoutPath: string }): [string, string][] {
  return [
    ['GET', LIST],
    ['POST', INSTALL],
    ['DELETE', INSTALL],
    ['GET', ARTICLE],
    ['POST', '/api/helpcenter/upload/picture'],
    ['GET', '/api/cmt/unknown'],
    ['GET', '/api/cmt/manager/plugin/abcdefgh/download'],
    ['OPTIONS', LIST],
    ['POST', '/user/page/sign_in'],
    ['GET', '/api/auth/userinfo'],
    ['GET', '/%61pi/auth/session'],
    ['GET', paths.sessionPath],
    ['POST', paths.logoutPath],
  ];
}

/** Requests that other sites can cause. */
export const sameSiteChecks: readonly Check[] = [
  {
    id: 'R 9.11',
    title: 'calls without the custom header are 403 and reach no service',
    async run(context) {
      const opened = await context.signedIn();
      context.upstream.requests.length = 0;
      context.identity.requests.length = 0;
      const bare = Object.fromEntries(Object.keys(context.dialect.headers).map((name) => [name, 'x']));
      for (const [method, path] of calls(context.dialect)) {
        const body = method === 'POST' ? 'a=1' : undefined;
        same((await opened.call(path, { method, body, headers: bare })).status, 403, `${method} ${path}`);
      }
      untouched(context, 'a call without the header');
    },
  },
  {
    id: 'R 9.12',
    title: 'another Origin, Sec-Fetch-Site cross-site or same-site are 403; an XHR is never redirected',
    async run(context) {
      const opened = await context.signedIn();
      context.upstream.requests.length = 0;
      context.identity.requests.length = 0;
      const foreign: Record<string, string>[] = [
        { origin: 'https://evil.example' },
        { origin: 'null' },
        { origin: `${context.target.publicUrl}.evil.example` },
        {
          origin: `${new URL(context.target.publicUrl).protocol}//${new URL(context.target.publicUrl).hostname}:8081`,
        },
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
      ];
      for (const headers of foreign) {
        for (const [method, path] of calls(context.dialect)) {
          const body = method === 'POST' ? '{}' : undefined;
          const answer = await opened.call(path, { method, body, headers });
          same(answer.status, 403, `${method} ${path} with ${JSON.stringify(headers)}`);
        }
      }
      untouched(context, 'a call of another site');
      same(
        (await context.call(INSTALL, { method: 'POST', body: '{}' })).status,
        401,
        'a call without a session',
      );
    },
  },
  {
    id: 'R 9.13',
    title: 'CORS allows no other origin, whatever a service sends',
    async run(context) {
      const cors = { 'access-control-allow-origin': '*', 'access-control-allow-credentials': 'true' };
      for (const path of [ARTICLE, LIST]) {
        context.upstream.on(`GET ${path}`, (_seen, response) => {
          response.writeHead(200, { 'content-type': 'application/json', ...cors });
          response.end('{"code":0,"message":"ok","data":{}}');
          return undefined;
        });
      }
      const preflight = {
        'access-control-request-method': 'POST',
        'access-control-request-headers': Object.keys(context.dialect.headers).join(', '),
        origin: 'https://evil.example',
      };
      const answers: Received[] = [
        await context.call(ARTICLE),
        await context.call(LIST),
        await context.call(context.dialect.sessionPath),
        await context.call(ARTICLE, { method: 'OPTIONS', headers: preflight }),
        await context.call(context.dialect.logoutPath, { method: 'OPTIONS', headers: preflight }),
        await context.call('/plugins/', { headers: preflight }),
      ];
      for (const { headers } of answers) {
        const granted = Object.keys(headers).filter((name) => name.startsWith('access-control-'));
        same(granted, [], 'CORS headers');
      }
    },
  },
];

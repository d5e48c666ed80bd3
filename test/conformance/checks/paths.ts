import { statusOf } from '../../support/raw-request.ts';
import type { Check, Context } from '../check.ts';
import { holds, same, untouched } from '../expect.ts';

/** Paths that different servers read differently. */
const TWO_MEANINGS: readonly string[] = [
  '/api/helpcenter/..',
  '/api/helpcenter/../cmt/internal',
  '/api/helpcenter/./x',
  '/api/helpcenter/%2e%2e/cmt/internal',
  '/api/helpcenter/%2E%2e/x',
  '/api/helpcenter/.%2E/x',
  '/api/helpcenter/%2e/x',
  '/api/helpcenter/x%2fy',
  '/api/helpcenter/x%2Fmanager%2Fy',
  '/api/helpcenter/x%5cy',
  '/api/helpcenter/x\\y',
  '/api/helpcenter/..\\x',
  '/api/helpcenter/x%00',
  '/api/helpcenter/x%0d%0ax-injected:%201',
  '/api/helpcenter/x%7f',
  '/api/helpcenter/%252e%252e/x',
  '/api/helpcenter/%2561',
  '/api/helpcenter/%25%32%65/x',
  '/api/helpcenter/%c0%ae/x',
  '/api/helpcenter/%ff',
  '/api/helpcenter/%',
  '/api/helpcenter/%zz',
  '/api/helpcenter/x#y',
  '/api/helpcenter/x\u00e9',
  '/api//helpcenter/x',
  '/api/helpcenter//x',
  '//api/helpcenter/x',
  '//evil.example/api/helpcenter/x',
  'http://evil.example/api/helpcenter/x',
  'http://localhost:8080/api/helpcenter/x',
  'api/helpcenter/x',
  '?x',
  '/plugins/..%2f..%2fetc/passwd',
  '/plugins/assets/..%2findex.html',
  '/plugins/assets/%2e%2e/index.html',
  '/plugins/assets/..\\index.html',
  '/plugins//evil.example',
];

/** Head of a raw request with the CSRF header, without its final empty line. */
export function requestHead(method: string, path: string, { dialect, target }: Context): string {
  const own = Object.entries(dialect.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const host = new URL(target.publicUrl).host;
  return `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n${own.join('')}`;
}

/** Allowed paths. */
export const pathChecks: readonly Check[] = [
  {
    id: 'R 10.1',
    title: 'only listed methods and paths are proxied, to fixed origins',
    async run(context) {
      for (const [method, path, statuses] of [
        ['GET', '/api/cmt/internal/metrics', [404]],
        ['GET', '/api/cmt/plugin/unknown', [404]],
        ['GET', '/api/cmt', [404]],
        ['PATCH', '/api/cmt/plugin', [404, 405]],
        ['DELETE', '/api/cmt/plugin/list', [404, 405]],
        ['GET', '/api/other/x', [404]],
        ['GET', '/api/helpcenterx/x', [404]],
        ['TRACE', '/api/helpcenter/x', [0, 400, 404, 405, 501]],
        ['PROPFIND', '/api/helpcenter/x', [400, 404, 405]],
      ] as const) {
        const status = statusOf(await context.raw(`${requestHead(method, path, context)}\r\n`));
        holds(
          statuses.some((allowed) => allowed === status),
          `${method} ${path} answered ${status}`,
        );
      }
      untouched(context, 'a call outside the list');
      context.upstream.on('GET /api/helpcenter/x', ({ headers }) => ({ host: headers.host }));
      await context.raw(`${requestHead('GET', '/api/helpcenter/x?url=http://evil.example/', context)}\r\n`);
      const { port } = context.upstream;
      same(context.upstream.requests[0]?.headers.host, `127.0.0.1:${port}`, 'Host upstream');
    },
  },
  {
    id: 'R 10.2',
    title: 'ambiguous paths are 400 and reach no service',
    async run(context) {
      for (const path of TWO_MEANINGS) {
        const received = await context.raw(`${requestHead('GET', path, context)}\r\n`);
        same(statusOf(received), 400, `status of ${path}`);
        holds(!/x-injected: 1/.test(received.split('\r\n\r\n')[0] ?? ''), `${path} injects a header`);
        holds(!received.includes('not to be served'), `${path} answers a file`);
      }
      untouched(context, 'an ambiguous path');
    },
  },
  {
    id: 'R 10.5',
    title: 'ambiguous requests are 400',
    async run(context) {
      const post = requestHead('POST', '/api/helpcenter/x', context);
      for (const [what, text] of [
        ['length and chunks', `${post}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
        ['two lengths', `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
        ['a folded header', `${post}X-A: 1\r\n folded\r\n\r\n`],
        ['two hosts', `${post}Host: evil.example\r\n\r\n`],
        ['no host', post.replace(/Host: [^\r]*\r\n/, '').concat('\r\n')],
        ['a space before the colon', `${post}X-A : 1\r\n\r\n`],
        ['a bare line feed', `${post}X-A: 1\n\r\n`],
        ['an unknown coding', `${post}Transfer-Encoding: chunked, x\r\n\r\n0\r\n\r\n`],
      ] as const) {
        same(statusOf(await context.raw(text)), 400, what);
      }
      const huge = await context.raw(`${post}X-A: ${'x'.repeat(20_000)}\r\n\r\n`);
      same(statusOf(huge), 431, 'headers that are too large');
      untouched(context, 'an ambiguous request');
    },
  },
  {
    id: 'R 10.6',
    title: 'upgrades are refused',
    async run(context) {
      for (const upgrade of ['websocket', 'h2c', 'TLS/1.0']) {
        const get = requestHead('GET', '/api/helpcenter/x', context).replace('close', 'Upgrade');
        const key = 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n';
        const status = statusOf(await context.raw(`${get}Upgrade: ${upgrade}\r\n${key}\r\n`));
        holds(status >= 400 && status < 500, `an upgrade to ${upgrade} answered ${status}`);
      }
      const { host } = new URL(context.target.publicUrl);
      const tunnel = await context.raw(`CONNECT evil.example:443 HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
      holds(statusOf(tunnel) === 0 || statusOf(tunnel) >= 400, 'CONNECT');
      untouched(context, 'an upgrade');
      same((await context.call('/plugins/')).status, 200, 'the page afterwards');
    },
  },
];

import { stubAnswer } from '../../support/stub-upstream.ts';
import type { Check } from '../check.ts';
import { ARTICLE, holds, isSecure, same } from '../expect.ts';

/** Headers that a client must not be able to set for a service. */
export const FORGED: Readonly<Record<string, string>> = {
  authorization: 'Bearer forged',
  'proxy-authorization': 'Basic x',
  forwarded: 'for=1.1.1.1',
  'x-forwarded-host': 'evil.example',
  'x-forwarded-proto': 'gopher',
  'x-forwarded-user': 'root',
  x_forwarded_user: 'root',
  'x-forwarded-uri': '/x',
  'x-real-ip': '1.1.1.1',
  'x-original-url': '/x',
  'x-rewrite-url': '/x',
  'x-http-method-override': 'DELETE',
  'x-anything': 'x',
  te: 'trailers',
};

/** Headers that a service must not be able to set for a browser. */
const MEDDLING: Readonly<Record<string, string | string[]>> = {
  'set-cookie': ['session=stolen', 'a=b'],
  'access-control-allow-origin': '*',
  'content-security-policy': "script-src 'unsafe-eval'",
  'x-powered-by': 'x',
  server: 'x',
  via: '1.1 x',
  'proxy-authenticate': 'Basic',
  'proxy-status': 'x',
  'clear-site-data': '"*"',
  refresh: '0; url=https://evil.example',
};

/** Request and response headers. */
export const headerChecks: readonly Check[] = [
  {
    id: 'R 10.3',
    title: 'only listed request headers are forwarded; bearer and forwarding headers are the gateway’s own',
    async run(context) {
      const opened = await context.signedIn();
      context.upstream.on(`POST ${ARTICLE}`, () => ({}));
      await opened.call(ARTICLE, {
        method: 'POST',
        body: '{}',
        headers: { ...FORGED, connection: 'close, x-request-id', 'x-forwarded-for': '1.1.1.1' },
      });
      const headers = context.upstream.seen(`POST ${ARTICLE}`)[0]?.headers ?? {};
      for (const [name, value] of Object.entries(FORGED)) {
        holds(headers[name] !== value, `${name}: ${value} went upstream`);
      }
      same(headers.cookie, undefined, 'Cookie upstream');
      holds(
        headers.authorization?.startsWith('Bearer e30.') ?? false,
        'the session’s bearer token is sent upstream',
      );
      const secure = isSecure(context);
      same(headers['x-forwarded-proto'], secure ? 'https' : 'http', 'X-Forwarded-Proto upstream');
      same(headers['x-forwarded-host'], new URL(context.target.publicUrl).host, 'X-Forwarded-Host upstream');
      holds(!String(headers['x-forwarded-for']).includes('1.1.1.1'), 'X-Forwarded-For is trusted');
      holds(
        headers.traceparent !== undefined && headers['x-request-id'] !== undefined,
        'trace headers are sent upstream',
      );
    },
  },
  {
    id: 'R 10.4',
    title: 'only listed response headers are returned; redirects stay on the site and are not followed',
    async run(context) {
      const { upstream } = context;
      upstream.on(`GET ${ARTICLE}`, () => stubAnswer(200, { code: 0 }, { ...MEDDLING, etag: '"e"' }));
      const { headers } = await context.call(ARTICLE);
      for (const [name, value] of Object.entries(MEDDLING)) {
        const came = JSON.stringify(headers[name] ?? '').includes(JSON.stringify(value).slice(1, -1));
        holds(!came, `${name} came back`);
      }
      same(headers.etag, '"e"', 'ETag');
      for (const location of [
        'https://evil.example/',
        '//evil.example/',
        '/\\evil.example',
        `${upstream.url}/x`,
      ]) {
        upstream.on(`GET ${ARTICLE}`, () => stubAnswer(302, '', { location }));
        const answer = await context.call(ARTICLE);
        same(answer.status, 502, `a redirect to ${location}`);
        same(answer.headers.location, undefined, 'Location');
      }
      upstream.on(`GET ${ARTICLE}`, () => stubAnswer(302, '', { location: '/plugins/' }));
      const answer = await context.call(ARTICLE);
      same([answer.status, answer.headers.location], [302, '/plugins/'], 'a redirect on the site');
      same(upstream.seen('GET /plugins/').length, 0, 'redirects followed');
    },
  },
  {
    id: 'R 10.12',
    title: 'security headers on pages and responses; a missing asset is 404; files are sandboxed',
    async run(context) {
      const page = await context.call('/plugins/', { headers: { accept: 'text/html' } });
      same(page.status, 200, 'the page');
      same(page.headers['x-content-type-options'], 'nosniff', 'X-Content-Type-Options of the page');
      const policy = (headers: typeof page.headers) => String(headers['content-security-policy']);
      holds(/frame-ancestors/.test(policy(page.headers)), 'frame-ancestors');
      holds(/^same-origin/.test(String(page.headers['cross-origin-opener-policy'])), 'opener policy');
      const transport = page.headers['strict-transport-security'];
      same(/max-age=\d{7,}/.test(transport ?? ''), isSecure(context), `HSTS ${transport}`);
      const missing = await context.call('/plugins/assets/missing-1a2b3c.js');
      same(missing.status, 404, 'a missing asset');
      holds(!/text\/html/.test(missing.headers['content-type'] ?? ''), 'a missing asset is not a page');
      const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
      context.upstream.on(`GET ${ARTICLE}`, () => stubAnswer(200, svg, { 'content-type': 'image/svg+xml' }));
      const file = await context.call(ARTICLE);
      same(file.headers['x-content-type-options'], 'nosniff', 'X-Content-Type-Options of a file');
      holds(/sandbox/.test(policy(file.headers)), 'a file is sandboxed');
    },
  },
];

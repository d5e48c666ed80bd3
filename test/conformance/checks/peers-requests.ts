import { send } from '../../support/browser.ts';
import { sendRaw, statusOf } from '../../support/raw-request.ts';
import type { Check } from '../check.ts';
import { ARTICLE, holds, INSTALL, same, untouched } from '../expect.ts';
import { requestHead } from './paths.ts';

/** Bugs of other gateways in request filtering. */
export const peerRequestChecks: readonly Check[] = [
  {
    id: 'CVE-2026-33805',
    title: 'Connection: close, authorization does not strip the bearer',
    async run(context) {
      const opened = await context.signedIn();
      context.upstream.on(`POST ${INSTALL}`, () => ({}));
      const headers = { connection: 'close, authorization, x-forwarded-host, accept-language' };
      await opened.call(INSTALL, { method: 'POST', body: '{}', headers });
      const came = context.upstream.seen(`POST ${INSTALL}`)[0]?.headers ?? {};
      holds(came.authorization?.startsWith('Bearer e30.') ?? false, 'the bearer token is sent upstream');
      holds(came['x-forwarded-host'] !== undefined, 'forwarding headers are sent upstream');
    },
  },
  {
    id: 'GHSA-2q7r-29rg-6m5h',
    title: 'encoded dot segments in any case do not leave a prefix',
    async run(context) {
      for (const dots of ['%2E%2E', '%2e%2e', '.%2E', '%2E.', '..', '%252E%252E', '..;', '%2E%2E%2F..']) {
        const path = `/api/helpcenter/${dots}/cmt/internal`;
        const status = statusOf(await context.raw(`${requestHead('GET', path, context)}\r\n`));
        holds(status === 400 || status === 404, `${path} answered ${status}`);
      }
      const above = context.upstream.requests.filter(({ path }) => !path.startsWith('/api/helpcenter/'));
      same(
        above.map(({ target }) => target),
        [],
        'paths outside the prefix',
      );
    },
  },
  {
    id: 'GHSA-v574-6498-x57v',
    title: 'a path cannot extend the host name of a service',
    async run(context) {
      for (const path of [
        '@evil.example/x',
        '.evil.example/x',
        ':80/x',
        '//evil.example/x',
        '\\evil.example',
      ]) {
        const status = statusOf(await context.raw(`${requestHead('GET', path, context)}\r\n`));
        same(status, 400, `status of ${path}`);
      }
      untouched(context, 'a path that extends the host');
    },
  },
  {
    id: 'GHSA-v2v2-hph8-q5xp',
    title:
      '"application/json ;" is read as every other JSON or refused, never passed unread by the own calls',
    run: async (context) => {
      for (const type of ['application/json ;', 'application/json ; charset=utf-8', 'application/json;']) {
        await bodyIsRead(context, type);
      }
    },
  },
  {
    id: 'CVE-2026-25223',
    title: 'a tab in the content type does not bypass body parsing',
    run: async (context) => {
      for (const type of ['application/json\ta', 'application/json\t;x', 'application/json\t']) {
        await bodyIsRead(context, type);
      }
    },
  },
  {
    id: 'CVE-2026-3635, CVE-2026-16732',
    title: 'X-Forwarded-* is trusted from named proxies only, never by a number of hops',
    async run(context) {
      context.upstream.on(`GET ${ARTICLE}`, () => ({}));
      await context.call(ARTICLE, {
        headers: { 'x-forwarded-for': '8.8.8.8', 'x-forwarded-proto': 'gopher' },
      });
      const bare = context.upstream.requests[0]?.headers ?? {};
      same(
        [bare['x-forwarded-for'], bare['x-forwarded-proto'] === 'gopher'],
        ['127.0.0.1', false],
        'unasked',
      );
      const target = await context.start({ settings: { TRUST_PROXY: '127.0.0.1' } });
      const headers = { ...context.dialect.headers, 'x-forwarded-for': '8.8.8.8, 9.9.9.9' };
      await send(target.url, ARTICLE, { headers });
      same(context.upstream.requests[1]?.headers['x-forwarded-for'], '9.9.9.9', 'by a named proxy');
      const behindAnother = await context.start({ settings: { TRUST_PROXY: '10.0.0.0/8' } });
      await send(behindAnother.url, ARTICLE, { headers });
      same(context.upstream.requests[2]?.headers['x-forwarded-for'], '127.0.0.1', 'by another proxy');
      const counted = await context.start({ settings: { TRUST_PROXY: '1' } }).then(
        () => 'started',
        () => 'refused',
      );
      same(counted, 'refused', 'a number of hops as a setting');
    },
  },
  {
    id: 'port-in-forwarded-for',
    title: 'a port, quotes or brackets in X-Forwarded-For make no other client',
    async run(context) {
      context.upstream.on(`GET ${ARTICLE}`, () => ({}));
      const target = await context.start({ settings: { TRUST_PROXY: '127.0.0.1' } });
      const spellings = [
        '9.9.9.9:4711',
        '"9.9.9.9:4712"',
        '::ffff:9.9.9.9',
        '[2001:DB8::9]:4711',
        '2001:db8:0::9',
      ];
      for (const spelling of spellings) {
        await send(target.url, ARTICLE, {
          headers: { ...context.dialect.headers, 'x-forwarded-for': spelling },
        });
      }
      same(
        context.upstream.requests.map(({ headers }) => headers['x-forwarded-for']),
        ['9.9.9.9', '9.9.9.9', '9.9.9.9', '2001:db8::9', '2001:db8::9'],
        'the client of the upstream call',
      );
    },
  },
  {
    id: 'CVE-2026-22037',
    title: 'an encoded prefix bypasses no guard',
    async run(context) {
      const bare = Object.fromEntries(Object.keys(context.dialect.headers).map((name) => [name, 'none']));
      for (const path of [
        '/%61pi/cmt/plugin/user',
        '/api/%63mt/plugin/user',
        '/api/cmt/plugin/%75ser',
        '/%61%70%69/helpcenter/x',
      ]) {
        const call = { method: 'POST', body: '{}' };
        same(
          (await context.call(path, { ...call, headers: bare })).status,
          403,
          `${path} without the header`,
        );
        if (path.includes('helpcenter')) continue;
        same((await context.call(path, call)).status, 401, `${path} of nobody`);
      }
      untouched(context, 'an encoded path');
    },
  },
  {
    id: 'CVE-2026-6414, CVE-2026-15074',
    title: 'an encoded slash does not leave the folder of static files',
    async run(context) {
      for (const path of [
        '/plugins/assets/..%2findex.html',
        '/plugins/assets/%2e%2e%2findex.html',
        '/plugins/assets%2fmain-1a2b3c.js',
        '/plugins/assets/..%5cindex.html',
        '/plugins/assets/%2fetc%2fpasswd',
      ]) {
        const received = await context.raw(`${requestHead('GET', path, context)}\r\n`);
        holds([400, 404].includes(statusOf(received)), `${path} answered ${statusOf(received)}`);
        holds(!/not to be served|root:/.test(received), `${path} answered a file`);
      }
    },
  },
  {
    id: 'CVE-2025-64484',
    title: 'X_Forwarded_User, in any spelling, reaches no service',
    async run(context) {
      context.upstream.on(`GET ${ARTICLE}`, () => ({}));
      const spelled = 'X_Forwarded_User: root\r\nx-forwarded_user: root\r\nX_FORWARDED-USER: root\r\n';
      await context.raw(`${requestHead('GET', ARTICLE, context)}${spelled}\r\n`);
      same(context.upstream.requests.length, 1, 'calls upstream');
      const names = Object.keys(context.upstream.requests[0]?.headers ?? {});
      same(
        names.filter((name) => name.includes('user') && name !== 'user-agent'),
        [],
        'forged names',
      );
    },
  },
  {
    id: 'CVE-2026-40575',
    title: 'X-Forwarded-Uri, a health checker’s user agent and # bypass nothing',
    async run(context) {
      for (const headers of [
        { 'x-forwarded-uri': '/livez' },
        { 'x-original-uri': '/plugins/' },
        { 'user-agent': 'GoogleHC/1.0' },
        { 'user-agent': 'kube-probe/1.30' },
      ]) {
        const answer = await context.call(INSTALL, { method: 'POST', body: '{}', headers });
        same(answer.status, 401, JSON.stringify(headers));
      }
      const text = `${requestHead('POST', '/api/cmt/plugin/user#/livez', context)}Content-Length: 0\r\n\r\n`;
      holds([400, 401].includes(statusOf(await context.raw(text))), 'a fragment in the target');
      untouched(context, 'a request without a session');
    },
  },
  {
    id: 'GHSA-7rh7-c77v-6434',
    title: 'the path decides what is public, not the query',
    async run(context) {
      for (const query of [
        '?/api/cmt/plugin/list',
        '?x=/plugins/',
        '?next=/api/cmt/plugin/tag/list',
        '?/livez',
      ]) {
        const answer = await context.call(INSTALL + query, { method: 'POST', body: '{}' });
        same(answer.status, 401, `${INSTALL}${query}`);
      }
      untouched(context, 'a request without a session');
    },
  },
  {
    id: 'CVE-2026-55602',
    title: 'a hostile Host header has no effect',
    async run(context) {
      context.upstream.on(`GET ${ARTICLE}`, () => ({}));
      for (const host of ['evil.example', 'evil.example:80', 'a@evil.example', '']) {
        const head = requestHead('GET', `${context.dialect.loginPath}%2Fplugins%2F`, context);
        const received = await context.raw(`${head.replace(/Host: [^\r]*/, `Host: ${host}`)}\r\n`);
        holds(!received.includes('evil.example'), `Host ${host} is in the response`);
      }
      await send(context.target.url, ARTICLE, {
        headers: { ...context.dialect.headers, host: 'evil.example' },
      });
      const came = JSON.stringify(context.upstream.requests.map(({ headers }) => headers));
      holds(!came.includes('evil.example'), 'a hostile Host is sent upstream');
    },
  },
  {
    id: 'CVE-2026-44578',
    title: 'an upgrade in absolute form reaches no service',
    async run(context) {
      for (const absolute of [`${context.upstream.url}/x`, 'http://evil.example/', 'ws://evil.example/']) {
        const text = requestHead('GET', absolute, context)
          .replace('Connection: close', 'Connection: Upgrade')
          .concat('Upgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n');
        const status = statusOf(await sendRaw(context.target.url, text));
        holds(status === 0 || (status >= 400 && status < 500), `${absolute} answered ${status}`);
      }
      untouched(context, 'an absolute upgrade');
    },
  },
  {
    id: 'CVE-2026-1525',
    title: 'two Content-Length headers are refused, equal ones too, and never sent upstream',
    async run(context) {
      context.upstream.on(`POST ${ARTICLE}`, () => ({}));
      const post = requestHead('POST', ARTICLE, context);
      for (const [one, two] of [
        [1, 2],
        [2, 2],
        [2, 0],
      ]) {
        const text = `${post}Content-Length: ${one}\r\ncontent-length: ${two}\r\n\r\nab`;
        same(statusOf(await context.raw(text)), 400, `lengths ${one} and ${two}`);
      }
      same(context.upstream.seen(`POST ${ARTICLE}`).length, 0, 'calls upstream');
    },
  },
];

/** The gateway's own call refuses an invalid JSON body, whatever the spelling of its content type. */
async function bodyIsRead(context: Parameters<Check['run']>[0], type: string): Promise<void> {
  const opened = await context.signedIn();
  const headers = { 'content-type': type };
  const { logoutPath } = context.dialect;
  const broken = await opened.call(logoutPath, { method: 'POST', body: '{"a":', headers });
  holds([400, 415].includes(broken.status), `a broken body of ${JSON.stringify(type)}: ${broken.status}`);
  same(context.identity.seen('POST /user/logout').length, 0, 'sign-outs by an invalid body');
}

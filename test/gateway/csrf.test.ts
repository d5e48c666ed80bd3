import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';

const OWN = { host: 'localhost:8080', 'x-requested-with': 'plugin-square' };

t.test('requirements 11 and 12: calls of other sites are refused', async (t) => {
  const gateway = await startGateway(t);
  const refused: [string, Record<string, string>][] = [
    ['without the header', {}],
    ['with another header', { 'x-requested-with': 'XMLHttpRequest' }],
    ['from another origin', { ...OWN, origin: 'https://evil.example' }],
    ['from a sandboxed frame', { ...OWN, origin: 'null' }],
    ['from an origin that begins as ours', { ...OWN, origin: 'http://localhost:8080.evil.example' }],
    ['from another port', { ...OWN, origin: 'http://localhost:8081' }],
    ['from another site', { ...OWN, 'sec-fetch-site': 'cross-site' }],
    ['from a sibling host', { ...OWN, 'sec-fetch-site': 'same-site' }],
  ];
  const calls = [
    ['GET', '/api/cmt/plugin/list'],
    ['POST', '/api/cmt/plugin/user'],
    ['GET', '/api/cmt/manager/plugin/abcdefgh/download'],
    ['GET', '/api/cmt/not/in/the/contract'],
    ['GET', '/api/helpcenter/article'],
    ['GET', '/api/auth/session'],
    ['GET', '/api/auth/userinfo'],
    ['POST', '/api/auth/logout'],
    ['POST', '/user/page/sign_in'],
    ['GET', '/%61pi/auth/session'],
  ] as const;
  for (const [what, headers] of refused) {
    for (const [method, path] of calls) {
      const answer = await send(gateway.url, path, { method, headers });
      t.equal(answer.status, 403, `${method} ${path} ${what}`);
      t.equal(answer.json().code, 'CSRF_REFUSED');
    }
  }
  const stubs = [gateway.community, gateway.helpcenter, gateway.identity];
  t.strictSame(
    stubs.flatMap(({ requests }) => requests),
    [],
    'no upstream was called',
  );
  t.match(await gateway.registry.metrics(), 'bff_csrf_rejected_total{reason="origin"} 40');
  t.ok(gateway.lines().some(({ event, reason }) => event === 'csrf_refused' && reason === 'fetch-site'));
});

t.test('calls of our own pages are accepted', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on('GET /api/cmt/plugin/tag/list', () => ({ tag_list: [] }));
  for (const headers of [
    OWN,
    { ...OWN, origin: 'http://localhost:8080' },
    { ...OWN, 'sec-fetch-site': 'same-origin' },
  ]) {
    t.equal((await send(gateway.url, '/api/cmt/plugin/tag/list', { headers })).status, 200);
  }
});

t.test('public files and the sign-in redirects need no header', async (t) => {
  const gateway = await startGateway(t);
  const name = `${'a'.repeat(64)}-320.webp`;
  gateway.community.on(`GET /api/cmt/media/${name}`, () => ({}));
  const headers = { 'sec-fetch-site': 'cross-site', accept: 'text/html' };
  t.equal((await send(gateway.url, `/api/cmt/media/${name}`, { headers })).status, 200);
  t.equal((await send(gateway.url, '/api/auth/login', { headers })).status, 302);
  t.equal((await send(gateway.url, '/api/auth/callback', { headers })).status, 400);
});

t.test('requirement 13: no CORS headers', async (t) => {
  const gateway = await startGateway(t);
  gateway.community.on('GET /api/cmt/plugin/tag/list', (_seen, response) => {
    response.setHeader('access-control-allow-origin', '*');
    return {};
  });
  const read = await send(gateway.url, '/api/cmt/plugin/tag/list', { headers: OWN });
  const preflight = await send(gateway.url, '/api/cmt/plugin/tag/list', {
    method: 'OPTIONS',
    headers: { origin: 'https://evil.example', 'access-control-request-method': 'GET' },
  });
  t.equal(preflight.status, 403);
  for (const { headers } of [read, preflight]) {
    t.strictSame(
      Object.keys(headers).filter((name) => name.startsWith('access-control')),
      [],
    );
  }
});

import { rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { createConnectionTester } from '../../../../server/community/curation/third-party-accounts/test-connection.ts';
import { loadSecretEncryptor } from '../../../../server/community/secrets.ts';
import { contract } from '../../../../shared/contract.ts';
import type { ConnectionTest } from '../../../../shared/routes/settings.ts';
import { testCommunity } from '../../../support/community.ts';
import { portOf } from '../../../support/port.ts';
import { type StubHandler, startStub, stubAnswer } from '../../../support/stub-upstream.ts';
import { ask, dataOf } from '../../ask.ts';

const SECRET = 'canary+secret/0123456789';
const TOKEN = 'POST /oauth/token';
const PHOTOS = 'GET /v1/curated';
const { testIconFont, testStockPhoto } = contract;

const vendor = await startStub(t);
const elsewhere = await startStub(t);
const VENDORS = { iconFontTokenUrl: `${vendor.url}/oauth/token`, stockPhotoUrl: `${vendor.url}/v1` };
let logged = '';
const log = pino(
  { level: 'debug' },
  {
    write: (line: string) => {
      logged += line;
    },
  },
);
const community = await testCommunity(t, {
  log,
  accounts: { ...VENDORS, timeout: 60_000 },
});
const admin = await community.bearer(1, 2);

/** As the service has it, with the key that lies in the data folder now. */
const tester = (timeout = 60_000) =>
  createConnectionTester({
    db: community.db,
    encryptor: loadSecretEncryptor('third-party accounts', { dataDir: community.dataDir }),
    settings: { ...VENDORS, timeout },
  });

async function testOf(path: string) {
  const answer = await ask(community.url, path.replace('/api/cmt/', ''), { headers: admin, body: {} });
  t.notMatch(JSON.stringify(answer.json), 'canary', 'the secret stays here');
  return dataOf(answer, testIconFont.data);
}
async function save(): Promise<void> {
  await ask(community.url, 'manager/space-setting/iconfont', {
    method: 'PUT',
    headers: admin,
    body: { client_id: 'my client:1', client_secret: SECRET },
  });
  await ask(community.url, 'srv/config/pexels', { headers: admin, body: { api_key: SECRET } });
}

t.test('an account that was not saved is not tested', async (t) => {
  t.strictSame(await testOf(testIconFont.path), { result: 'not_saved', status: null });
  t.strictSame(await testOf(testStockPhoto.path), { result: 'not_saved', status: null });
  t.strictSame(vendor.requests, []);
});

t.test('a valid account, and the request to the vendor', async (t) => {
  await save();
  vendor.on(TOKEN, () => stubAnswer(200, { access_token: SECRET, token_type: 'Bearer', expires_in: 60 }));
  vendor.on(PHOTOS, () => stubAnswer(200, { page: 1, per_page: 1, photos: [] }));
  t.strictSame(await testOf(testIconFont.path), { result: 'accepted', status: 200 });
  t.strictSame(await testOf(testStockPhoto.path), { result: 'accepted', status: 200 });
  const [asked] = vendor.seen(TOKEN);
  const user = Buffer.from(asked?.headers.authorization?.replace('Basic ', '') ?? '', 'base64').toString();
  t.equal(user, 'my%20client%3A1:canary%2Bsecret%2F0123456789');
  t.equal(asked?.body.toString(), 'grant_type=client_credentials');
  t.equal(asked?.headers['content-type'], 'application/x-www-form-urlencoded');
  const [photos] = vendor.seen(PHOTOS);
  t.equal(photos?.headers.authorization, SECRET);
  t.equal(photos?.target, '/v1/curated?per_page=1');
  const read = await ask(community.url, 'srv/config/pexels', { headers: admin });
  t.hasStrict(read.json, { data: { test_host: new URL(vendor.url).host, has_readers: false } });
});

/** What a vendor may do, and what the administrator is told. */
const CASES: [title: string, handler: StubHandler, ConnectionTest][] = [
  ['refuses the key', () => stubAnswer(401, { error: SECRET }), { result: 'refused', status: 401 }],
  ['forbids it', () => stubAnswer(403, SECRET), { result: 'refused', status: 403 }],
  ['has had enough', () => stubAnswer(429, {}), { result: 'limited', status: 429 }],
  ['fails', () => stubAnswer(500, { error: SECRET }), { result: 'failed', status: 500 }],
  ['does not know the address', () => stubAnswer(404, {}), { result: 'failed', status: 404 }],
  ['responds with HTML', () => stubAnswer(200, `<html>${SECRET}`), { result: 'unusable', status: 200 }],
  ['answers other JSON', () => stubAnswer(200, { ok: true }), { result: 'unusable', status: 200 }],
  ['answers nothing', () => stubAnswer(204, ''), { result: 'unusable', status: 204 }],
  [
    'sends elsewhere',
    () => stubAnswer(302, '', { location: `${elsewhere.url}/v1/curated` }),
    { result: 'redirected', status: 302 },
  ],
  [
    'sends elsewhere with the method',
    () => stubAnswer(307, '', { location: `${elsewhere.url}/oauth/token` }),
    { result: 'redirected', status: 307 },
  ],
  [
    'answers an enormous body',
    () => stubAnswer(200, { access_token: 'x', photos: ['y'.repeat(2 ** 20)] }),
    { result: 'too_large', status: null },
  ],
  [
    'answers a body without end',
    (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const more = (): void => {
        while (!response.destroyed && response.write(' '.repeat(65_536)));
      };
      response.on('drain', more);
      more();
    },
    { result: 'too_large', status: null },
  ],
  ['hangs up', (_seen, response) => void response.destroy(), { result: 'unreachable', status: null }],
  [
    'does not speak HTTP',
    (_seen, response) => void response.socket?.end(`${SECRET}\r\n\r\n`),
    { result: 'unusable', status: null },
  ],
];

for (const [title, handler, expected] of CASES) {
  t.test(`a vendor that ${title}`, async (t) => {
    elsewhere.otherwise(() => ({ access_token: 'x', photos: [] }));
    for (const [route, call] of [
      [TOKEN, testIconFont],
      [PHOTOS, testStockPhoto],
    ] as const) {
      vendor.on(route, handler);
      t.strictSame(await testOf(call.path), expected, route);
    }
    t.strictSame(elsewhere.requests, [], 'no redirect is followed');
  });
}

for (const [title, handler] of [
  ['hangs', () => undefined],
  [
    'hangs after its head',
    (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"access_token":');
    },
  ],
  [
    'sends a byte now and then',
    (_seen, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => clearInterval(timer));
    },
  ],
] satisfies [string, StubHandler][]) {
  t.test(`a vendor that ${title}`, async (t) => {
    vendor.on(TOKEN, handler);
    vendor.on(PHOTOS, handler);
    const { testConnection } = tester(100);
    for (const name of ['icon_font', 'stock_photo'] as const) {
      t.strictSame(await testConnection(name, log), { result: 'timed_out', status: null }, name);
    }
  });
}

t.test('client errors of OAuth 2', async (t) => {
  for (const error of ['invalid_client', 'unauthorized_client']) {
    vendor.on(TOKEN, () => stubAnswer(400, { error }));
    t.strictSame(await testOf(testIconFont.path), { result: 'refused', status: 400 }, error);
  }
  vendor.on(TOKEN, () => stubAnswer(400, { error: 'invalid_request' }));
  t.strictSame(await testOf(testIconFont.path), { result: 'failed', status: 400 });
});

t.test('an unreachable vendor', async (t) => {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  const away = await testCommunity(t, {
    dataDir: community.dataDir,
    accounts: { stockPhotoUrl: `http://127.0.0.1:${port}` },
  });
  await ask(away.url, 'srv/config/pexels', { headers: await away.bearer(1, 2), body: { api_key: SECRET } });
  const answer = await ask(away.url, 'srv/config/pexels/test', {
    headers: await away.bearer(1, 2),
    body: {},
  });
  t.strictSame(dataOf(answer, testStockPhoto.data), { result: 'unreachable', status: null });
  const iconFont = await ask(away.url, 'manager/space-setting/iconfont/test', {
    headers: await away.bearer(1, 2),
    body: {},
  });
  t.strictSame(dataOf(iconFont, testIconFont.data), { result: 'no_address', status: null });
});

t.test('concurrent tests share one request', async (t) => {
  const before = vendor.seen(PHOTOS).length;
  vendor.on(PHOTOS, () => stubAnswer(200, { photos: [] }));
  const { testConnection } = tester();
  const tests = await Promise.all(Array.from({ length: 5 }, () => testConnection('stock_photo', log)));
  t.strictSame(
    tests.map(({ result }) => result),
    Array(5).fill('accepted'),
  );
  t.equal(vendor.seen(PHOTOS).length, before + 1);
  await testConnection('stock_photo', log);
  t.equal(vendor.seen(PHOTOS).length, before + 2);
});

t.test('logs the result and no secret', async (t) => {
  t.match(logged, /"event":"account_test","account":"icon_font","result":"refused","status":401/);
  t.notMatch(logged, 'canary');
  t.notMatch(logged, Buffer.from('my%20client').toString('base64').slice(0, 12));
});

t.test('an account with a missing key has its own result', async (t) => {
  await rm(join(community.dataDir, 'account-keys'));
  const { testConnection } = tester();
  t.strictSame(await testConnection('stock_photo', log), { result: 'not_opened', status: null });
});

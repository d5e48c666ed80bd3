import { setImmediate } from 'node:timers/promises';
import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import { send } from '../support/browser.ts';
import { startGateway } from '../support/gateway.ts';
import { stubAnswer } from '../support/stub-upstream.ts';

const LIST = '/api/cmt/plugin/list';
const OWN = { 'x-requested-with': 'plugin-square' };

type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** A gateway whose community counts how often the list was asked for. */
async function counted(t: Parameters<typeof startGateway>[0]) {
  const gateway = await startGateway(t);
  gateway.clock.still = performance.now();
  gateway.community.on(`GET ${LIST}`, ({ query, headers }) => ({
    count: gateway.community.seen(`GET ${LIST}`).length,
    query: query.toString(),
    language: headers['accept-language'],
    bearer: headers.authorization ?? null,
    filler: 'x'.repeat(2000),
  }));
  const read = async (path = LIST, headers: Record<string, string> = {}) =>
    (await send(gateway.url, path, { headers: { ...OWN, ...headers } })).json().data;
  return { gateway, read };
}

t.test(
  'anonymous clients that ask at the same time, or within the contract’s seconds, share one answer',
  async (t) => {
    const { gateway, read } = await counted(t);
    const answers = await Promise.all(Array.from({ length: 50 }, () => read()));
    t.strictSame(new Set(answers.map((data) => data.count)), new Set([1]));
    gateway.clock.ahead = 4000;
    t.equal((await read()).count, 1);
    gateway.clock.ahead = 10_100;
    t.equal((await read()).count, 2);
  },
);

t.test('for as long again the old answer is given at once, while one request revalidates it', async (t) => {
  const { gateway, read } = await counted(t);
  t.equal((await read()).count, 1);
  gateway.clock.ahead = 5100;
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  gateway.community.on(`GET ${LIST}`, async () => {
    await gate;
    return { count: 2 };
  });
  const old = await Promise.all(Array.from({ length: 20 }, () => read()));
  t.strictSame(new Set(old.map((data) => data.count)), new Set([1]));
  letGo();
  while ((await read()).count === 1) await setImmediate();
  t.equal(gateway.community.seen(`GET ${LIST}`).length, 2);
  gateway.clock.ahead = 10_000;
  t.equal((await read()).count, 2, 'counted from when it was made');
});

t.test('a wall clock that is set back makes no response last longer', async (t) => {
  const { gateway, read } = await counted(t);
  t.equal((await read()).count, 1);
  const setBack = Date.now() - 3_600_000;
  t.intercept(Date, 'now', { value: () => setBack });
  gateway.clock.ahead = 10_100;
  t.equal((await read()).count, 2);
});

t.test('an old answer outlives a service that is away or broken, until its time is over', async (t) => {
  const broken = stubAnswer(503, { code: 'SERVICE_UNAVAILABLE', message: 'no' });
  for (const [name, breakIt, status] of [
    ['away', ({ community }: Gateway) => community.stop(), 502],
    ['broken', ({ community }: Gateway) => community.on(`GET ${LIST}`, () => broken), 503],
  ] as const) {
    const { gateway, read } = await counted(t);
    t.equal((await read()).count, 1);
    await breakIt(gateway);
    for (const ahead of [5100, 9900]) {
      gateway.clock.ahead = ahead;
      t.equal((await read()).count, 1, `${name}, ${ahead} ms later`);
    }
    gateway.clock.ahead = 10_100;
    t.equal((await send(gateway.url, LIST, { headers: OWN })).status, status, name);
  }
});

t.test('what the service takes back is not given again', async (t) => {
  const { gateway, read } = await counted(t);
  const path = '/api/cmt/plugin?plugin_key=abcdefgh';
  gateway.community.on('GET /api/cmt/plugin', () => ({ name: 'found' }));
  t.equal((await read(path)).name, 'found');
  gateway.community.on('GET /api/cmt/plugin', () =>
    stubAnswer(404, { code: 'PLUGIN_NOT_FOUND', message: 'no' }),
  );
  gateway.clock.ahead = 5100;
  t.equal((await read(path)).name, 'found');
  let again = await send(gateway.url, path, { headers: OWN });
  while (again.status === 200) again = await send(gateway.url, path, { headers: OWN });
  t.equal(again.status, 404);
});
t.test('the same question in another spelling is the same; another question is another', async (t) => {
  const { read } = await counted(t);
  const first = await read(`${LIST}?tag_id=1&sort=1&keyword=a%20b`);
  t.equal(first.query, 'keyword=a+b&sort=1&tag_id=1');
  t.equal((await read(`${LIST}?sort=1&keyword=a+b&tag_id=1&unknown=${Math.random()}`)).count, 1);
  t.equal((await read(`/api/%63mt/plugin/list?sort=1&keyword=a+b&tag_id=1`)).count, 1);
  t.equal((await read(`${LIST}?sort=1&keyword=a+c&tag_id=1`)).count, 2);
  t.equal((await read(`${LIST}?sort=1&sort=0`)).query, 'sort=1&sort=0', 'repeated parameters are not hidden');
});

t.test('never across languages', async (t) => {
  const { read } = await counted(t);
  t.equal((await read(LIST, { 'accept-language': 'ru' })).language, 'ru-RU');
  t.equal((await read(LIST, { 'accept-language': 'en-GB' })).language, 'en-US');
  t.equal((await read(LIST, { 'accept-language': 'ru', cookie: 'lang=kr' })).language, 'ko-KR');
  t.equal((await read(LIST, { 'accept-language': 'de' })).language, 'zh-CN', 'the home of the site');
  t.equal((await read(LIST, { 'accept-language': 'ru', cookie: 'lang=evil' })).language, 'ru-RU');
});

t.test('never for a session, in either direction', async (t) => {
  const { gateway, read } = await counted(t);
  const browser = gateway.browser();
  await browser.signIn();
  const mine = (await browser.call(LIST)).json().data;
  t.match(mine.bearer, /^Bearer /);
  t.equal((await read()).bearer, null);
  t.match((await browser.call(LIST)).json().data.bearer, /^Bearer /);
  t.equal((await read()).count, 2);
});

t.test('errors are not kept', async (t) => {
  const { gateway, read } = await counted(t);
  gateway.community.on('GET /api/cmt/plugin', () =>
    stubAnswer(404, { code: 'PLUGIN_NOT_FOUND', message: 'no' }),
  );
  const path = '/api/cmt/plugin?plugin_key=abcdefgh';
  const first = await send(gateway.url, path, { headers: OWN });
  t.equal(first.status, 404);
  t.equal(first.json().code, 'PLUGIN_NOT_FOUND');
  gateway.community.on('GET /api/cmt/plugin', () => ({ name: 'found' }));
  t.equal((await read(path)).name, 'found');
});

t.test('what the service forbids to keep is not kept', async (t) => {
  const gateway = await startGateway(t);
  const path = '/api/cmt/plugin?plugin_key=abcdefgh';
  const reads = async () => {
    await send(gateway.url, path, { headers: OWN });
    await send(gateway.url, path, { headers: OWN });
    return gateway.community.seen('GET /api/cmt/plugin').length;
  };
  let expected = 0;
  for (const [word, calls] of [
    ['no-store', 2],
    ['max-age=0, private="x"', 2],
    ['max-age=5, no-storey', 1],
  ] as const) {
    gateway.clock.ahead += 10_000;
    gateway.community.on('GET /api/cmt/plugin', () =>
      stubAnswer(200, { code: 0, message: 'ok', data: {} }, { 'cache-control': word }),
    );
    expected += calls;
    t.equal(await reads(), expected, word);
  }
});

t.test('a known answer is 304, a large one compressed', async (t) => {
  const { gateway } = await counted(t);
  const plain = await send(gateway.url, LIST, { headers: OWN });
  t.equal(plain.headers['content-encoding'], undefined);
  t.equal(plain.headers['cache-control'], 'no-cache');
  t.match(plain.headers.vary, 'Cookie');
  const packed = await send(gateway.url, LIST, { headers: { ...OWN, 'accept-encoding': 'gzip, br' } });
  t.equal(packed.headers['content-encoding'], 'br');
  t.equal(brotliDecompressSync(packed.bytes).toString(), plain.text);
  const zipped = await send(gateway.url, LIST, { headers: { ...OWN, 'accept-encoding': 'br;q=0, gzip' } });
  t.equal(zipped.headers['content-encoding'], 'gzip');
  const etag = plain.headers.etag ?? '';
  const known = await send(gateway.url, LIST, { headers: { ...OWN, 'if-none-match': `"x", ${etag}` } });
  t.equal(known.status, 304);
  t.equal(known.text, '');
});

t.test('a community without tags is warned of, once, and told to whoever asks', async (t) => {
  const told: boolean[] = [];
  const gateway = await startGateway(t, { onTags: (hasTags) => told.push(hasTags) });
  const TAGS = '/api/cmt/plugin/tag/list';
  const answers: unknown[] = [
    { tag_list: [{ id: 1, code: 'maps', name: 'Maps' }] },
    { tag_list: [] },
    { tag_list: [] },
    { nothing: 'of use' },
    { tag_list: [{ id: 1, code: 'maps', name: 'Maps' }] },
  ];
  gateway.community.on(`GET ${TAGS}`, () => answers.shift());
  for (let round = 0; round < 5; round += 1) {
    gateway.clock.ahead = round * 20_000;
    await send(gateway.url, TAGS, { headers: OWN });
  }
  t.strictSame(told, [true, false, true]);
  const warnings = gateway
    .lines()
    .filter(({ msg }) => msg === 'the community service has no tags to browse by');
  t.strictSame(
    warnings.map(({ level }) => level),
    ['warn'],
  );
});

import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import {
  type CachedResponse,
  cachedResponse,
  compressSmallest,
  createBackgroundCompression,
  type Encoding,
  encodedBody,
} from '../../../server/gateway/cache/response-cache.ts';
import { send } from '../../support/browser.ts';
import { startGateway } from '../../support/gateway.ts';
import { stubAnswer } from '../../support/stub-upstream.ts';
import { until } from '../../support/until.ts';

t.test('anonymous reads', async (t) => {
  const LIST = '/api/cmt/plugin/list';
  const OWN = { 'x-requested-with': 'plugin-square' };

  type Gateway = Awaited<ReturnType<typeof startGateway>>;

  /** A gateway whose community counts the requests of the list. */
  async function counted(t: Parameters<typeof startGateway>[0]) {
    const gateway = await startGateway(t);
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
    'anonymous clients share one response at the same time and within the contract’s seconds',
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

  t.test('a stale response is served immediately while one request revalidates it', async (t) => {
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
    await until(async () => (await read()).count === 2);
    t.equal(gateway.community.seen(`GET ${LIST}`).length, 2);
    gateway.clock.ahead = 10_000;
    t.equal((await read()).count, 2, 'the lifetime starts at the revalidation');
  });

  t.test('setting back the wall clock does not extend the cache lifetime', async (t) => {
    const { gateway, read } = await counted(t);
    t.equal((await read()).count, 1);
    const setBack = Date.now() - 3_600_000;
    t.intercept(Date, 'now', { value: () => setBack });
    gateway.clock.ahead = 10_100;
    t.equal((await read()).count, 2);
  });

  t.test('a stale response is served while the service fails, until it expires', async (t) => {
    const broken = stubAnswer(503, { code: 'SERVICE_UNAVAILABLE', message: 'no' });
    for (const [name, breakIt, status] of [
      ['unreachable', ({ community }: Gateway) => community.stop(), 502],
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

  t.test('a response that the service no longer has is removed from the cache', async (t) => {
    const { gateway, read } = await counted(t);
    const path = '/api/cmt/plugin?plugin_key=abcdefgh';
    gateway.community.on('GET /api/cmt/plugin', () => ({ name: 'found' }));
    t.equal((await read(path)).name, 'found');
    gateway.community.on('GET /api/cmt/plugin', () =>
      stubAnswer(404, { code: 'PLUGIN_NOT_FOUND', message: 'no' }),
    );
    gateway.clock.ahead = 5100;
    t.equal((await read(path)).name, 'found');
    await until(async () => (await send(gateway.url, path, { headers: OWN })).status === 404);
  });
  t.test('the cache key does not depend on the spelling of the query', async (t) => {
    const { read } = await counted(t);
    const first = await read(`${LIST}?tag_id=1&sort=1&keyword=a%20b`);
    t.equal(first.query, 'keyword=a+b&sort=1&tag_id=1');
    t.equal((await read(`${LIST}?sort=1&keyword=a+b&tag_id=1&unknown=${Math.random()}`)).count, 1);
    t.equal((await read(`/api/%63mt/plugin/list?sort=1&keyword=a+b&tag_id=1`)).count, 1);
    t.equal((await read(`${LIST}?sort=1&keyword=a+c&tag_id=1`)).count, 2);
    t.equal(
      (await read(`${LIST}?sort=1&sort=0`)).query,
      'sort=1&sort=0',
      'repeated parameters are not hidden',
    );
  });

  t.test('responses are not shared across languages', async (t) => {
    const { read } = await counted(t);
    t.equal((await read(LIST, { 'accept-language': 'ru' })).language, 'ru-RU');
    t.equal((await read(LIST, { 'accept-language': 'en-GB' })).language, 'en-US');
    t.equal((await read(LIST, { 'accept-language': 'ru', cookie: 'lang=kr' })).language, 'ko-KR');
    t.equal(
      (await read(LIST, { 'accept-language': 'de' })).language,
      'zh-CN',
      'the default language of the site',
    );
    t.equal((await read(LIST, { 'accept-language': 'ru', cookie: 'lang=evil' })).language, 'ru-RU');
  });

  t.test('sessions neither read nor fill the cache', async (t) => {
    const { gateway, read } = await counted(t);
    const browser = gateway.browser();
    await browser.signIn();
    const mine = (await browser.call(LIST)).json().data;
    t.match(mine.bearer, /^Bearer /);
    t.equal((await read()).bearer, null);
    t.match((await browser.call(LIST)).json().data.bearer, /^Bearer /);
    t.equal((await read()).count, 2);
  });

  t.test('errors are not cached', async (t) => {
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

  t.test('a response is not cached if the service forbids it', async (t) => {
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

  t.test('a matching ETag is 304; large responses are compressed', async (t) => {
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

  t.test('an empty list of tags is logged once and reported to onTags', async (t) => {
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
    const warnings = gateway.lines().filter(({ msg }) => msg === 'community service returned no tags');
    t.strictSame(
      warnings.map(({ level }) => level),
      ['warn'],
    );
  });
});

t.test('memory of a response', async (t) => {
  const TEXT = Array.from({ length: 200 }, (_, row) => `${row ** 3}`).join(' ');
  /** A response as it comes from a service: concatenated chunks. */
  const body = (): Buffer => Buffer.concat([Buffer.from(TEXT)]);
  /** Bytes of memory that these buffers keep in use. */
  const memoryOf = (bytes: Buffer): number => bytes.buffer.byteLength;

  t.test('a cached response uses no more memory than its bytes', async (t) => {
    t.ok(memoryOf(body()) > TEXT.length, 'Node allocates small buffers from a pool');
    const answer = cachedResponse(200, 'application/json', body());
    t.equal(answer.body.toString(), TEXT);
    t.equal(memoryOf(answer.body), TEXT.length);
    for (const encoding of ['br', 'gzip'] satisfies Encoding[]) {
      const { body: compressed } = await encodedBody(answer, encoding);
      t.equal(memoryOf(compressed), compressed.length, encoding);
    }
    await compressSmallest(answer);
    const { body: smallest } = await encodedBody(answer, 'br');
    t.equal(memoryOf(smallest), smallest.length, 'br, compressed later');
  });
});

t.test('compression', async (t) => {
  const HTML = 'text/html; charset=utf-8';

  /** Text that the highest compression level makes smaller than the default. */
  const textOf = (serial: number): string =>
    Array.from(
      { length: 400 },
      (_, row) => `<li class="c${row % 7}" id="${serial}-${row ** 3}">${row}</li>`,
    ).join('\n');

  t.test('a page that is requested again is recompressed', async (t) => {
    let renders = 0;
    const render = async () => {
      renders += 1;
      return { status: 200, html: textOf(1) };
    };
    const gateway = await startGateway(t, { entry: { render } });
    const visit = () => gateway.browser().visit('/plugins/', { headers: { 'accept-encoding': 'br' } });
    const first = await visit();
    const isSmaller = async () => (await visit()).bytes.length < first.bytes.length;
    await until(isSmaller);
    const later = await visit();
    t.equal(later.headers['content-length'], String(later.bytes.length));
    t.equal(later.headers.etag, first.headers.etag);
    t.equal(brotliDecompressSync(later.bytes).toString(), textOf(1));
    gateway.clock.ahead = 5100;
    await visit();
    await until(() => renders === 2);
    t.equal(
      (await visit()).bytes.length,
      later.bytes.length,
      'unchanged after revalidation, it keeps its smallest form',
    );
  });

  t.test('responses are recompressed one at a time, with pauses', async (t) => {
    const compressLater = createBackgroundCompression({ pause: 100 });
    const answers = [1, 2].map((serial) => cachedResponse(200, HTML, Buffer.from(textOf(serial))));
    const lengthOf = async (answer: CachedResponse) => (await encodedBody(answer, 'br')).body.length;
    const before = await Promise.all(answers.map(lengthOf));
    const shrunk = async () => {
      const lengths = await Promise.all(answers.map(lengthOf));
      return lengths.map((length, place) => length < (before[place] ?? 0));
    };
    for (const answer of answers) compressLater(answer, (error) => t.error(error));
    await until(async () => (await shrunk())[0] === true);
    t.strictSame(await shrunk(), [true, false], 'the second was sent during the compression of the first');
    const again = async () => {
      for (const answer of answers) compressLater(answer, (error) => t.error(error));
      return (await shrunk())[1] === true;
    };
    t.ok(await until(again), 'it is compressed when it is sent again');
  });
});

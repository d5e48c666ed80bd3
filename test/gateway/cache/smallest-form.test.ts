import { brotliDecompressSync } from 'node:zlib';
import t from 'tap';
import {
  type CachedResponse,
  cachedResponse,
  createBackgroundCompression,
  encodedBody,
} from '../../../server/gateway/cache/response-cache.ts';
import { startGateway } from '../../support/gateway.ts';
import { until } from '../../support/until.ts';

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

import t from 'tap';
import {
  cachedResponse,
  compressSmallest,
  type Encoding,
  encodedBody,
} from '../../server/gateway/cache/cached-response.ts';

const TEXT = Array.from({ length: 200 }, (_, row) => `${row ** 3}`).join(' ');
/** As an answer comes from a service: put together from what the connection brought. */
const body = (): Buffer => Buffer.concat([Buffer.from(TEXT)]);
/** Bytes that stay taken for as long as these are kept. */
const memoryOf = (bytes: Buffer): number => bytes.buffer.byteLength;

t.test('what is kept of an answer keeps no more memory than it has bytes', async (t) => {
  t.ok(memoryOf(body()) > TEXT.length, 'Node makes small buffers as pieces of larger ones');
  const answer = cachedResponse(200, 'application/json', body());
  t.equal(answer.body.toString(), TEXT);
  t.equal(memoryOf(answer.body), TEXT.length);
  for (const encoding of ['br', 'gzip'] satisfies Encoding[]) {
    const { body: compressed } = await encodedBody(answer, encoding);
    t.equal(memoryOf(compressed), compressed.length, encoding);
  }
  await compressSmallest(answer);
  const { body: smallest } = await encodedBody(answer, 'br');
  t.equal(memoryOf(smallest), smallest.length, 'br, made later');
});

import t from 'tap';
import {
  cachedResponse,
  compressSmallest,
  type Encoding,
  encodedBody,
} from '../../../server/gateway/cache/response-cache.ts';

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

import { Readable } from 'node:stream';
import Fastify from 'fastify';
import t from 'tap';
import { implement } from '../../server/http/implement.ts';
import type { Route } from '../../shared/route.ts';

t.test('HEAD reads nothing of a file', async (t) => {
  const app = Fastify();
  t.teardown(() => app.close());
  const file = {
    ...{ service: 'community', method: 'GET', path: '/file', access: 'all' },
    ...{ summary: 'A file', file: true },
  } as const satisfies Route;
  let reads = 0;
  implement(app, file, async ({ reply }) => {
    const content = Readable.from(
      (function* () {
        for (; reads < 3; reads += 1) yield Buffer.from('abc');
      })(),
    );
    reply.type('video/mp4').header('content-length', 9).send(content);
    return undefined;
  });
  const head = await app.inject({ method: 'HEAD', url: '/file' });
  t.strictSame(
    [head.statusCode, head.headers['content-length'], head.headers['content-type']],
    [200, '9', 'video/mp4'],
  );
  t.equal(reads, 0);
  t.equal((await app.inject('/file')).body, 'abcabcabc');
});

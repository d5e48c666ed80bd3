import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { S3Settings } from '../../server/community/files/media/s3/client.ts';

const PAGE = 1000;

export type FakeBucket = {
  settings: S3Settings;
  /** Keys with the time of each. */
  objects: Map<string, Date>;
  /** Requests so far, by method and what they are about. */
  counts: Record<string, number>;
  /** Called before each request is answered, with its method and key; may give a status of an error instead. */
  before: (method: string, key: string) => Promise<number | undefined> | number | undefined;
  /** Milliseconds of silence within the content of an object, which is empty otherwise. */
  pause?: number;
};

/** The edge of an S3 store with a bucket of empty objects, which counts its requests. Ceph's is in test/system/peers. */
export async function startFakeBucket(t: { teardown(end: () => void): void }): Promise<FakeBucket> {
  const objects = new Map<string, Date>();
  const counts: Record<string, number> = {};
  const bucket: Pick<FakeBucket, 'before' | 'pause'> = { before: () => undefined };
  const server = createServer(async (request, response) => {
    const { key, query } = placeOf(request);
    const what = key === '' ? (query.has('uploads') ? 'uploads' : 'bucket') : 'object';
    const count = `${request.method} ${what}`;
    counts[count] = (counts[count] ?? 0) + 1;
    const failed = await bucket.before(request.method ?? '', key);
    if (failed) response.statusCode = failed;
    else if (count === 'GET object' && bucket.pause !== undefined) {
      response.writeHead(200, { 'content-length': 2 }).write('x');
      setTimeout(() => response.end('y'), bucket.pause).unref();
      return;
    } else if (count === 'GET bucket') response.end(listing(objects, query));
    else if (count === 'GET uploads') response.end('<ListMultipartUploadsResult/>');
    else if (count === 'PUT object') objects.set(key, new Date());
    else if (count === 'DELETE object') objects.delete(key);
    else if (count === 'HEAD object') {
      const putAt = objects.get(key);
      if (putAt) response.setHeader('last-modified', putAt.toUTCString());
      else response.statusCode = 404;
    }
    request.resume().once('end', () => response.end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const keys = { accessKeyId: 'key', secretAccessKey: 'secret' };
  const settings = { endpoint: `http://127.0.0.1:${port}`, bucket: 'files', region: 'us-east-1', ...keys };
  return Object.assign(bucket, { settings, objects, counts });
}

function placeOf({ url }: IncomingMessage): { key: string; query: URLSearchParams } {
  const { pathname, searchParams } = new URL(url ?? '', 'http://bucket');
  return { key: decodeURIComponent(pathname.split('/').slice(2).join('/')), query: searchParams };
}

function listing(objects: ReadonlyMap<string, Date>, query: URLSearchParams): string {
  const after = query.get('continuation-token') ?? '';
  const prefix = query.get('prefix') ?? '';
  const all = [...objects].filter(([key]) => key.startsWith(prefix) && key > after);
  const page = all.toSorted(([a], [b]) => (a < b ? -1 : 1)).slice(0, PAGE);
  const isTruncated = page.length < all.length;
  const next = isTruncated ? `<NextContinuationToken>${page.at(-1)?.[0]}</NextContinuationToken>` : '';
  const contents = page.map(
    ([key, putAt]) =>
      `<Contents><Key>${key}</Key><LastModified>${putAt.toISOString()}</LastModified><Size>1</Size></Contents>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">
    <IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
}

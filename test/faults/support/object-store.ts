import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { S3Settings } from '../../../server/community/media/s3/client.ts';
import { portOf } from '../../support/port.ts';

type Stored = { bytes: Buffer; at: Date };

/**
 * As much of the S3 protocol as storing and reading whole files takes, in memory. Short runs use it in place of a Ceph,
 * which takes long to start; signatures are not looked at.
 */
export async function startObjectStore(t: { teardown(work: () => void): void }): Promise<S3Settings> {
  const objects = new Map<string, Stored>();
  const server = createServer((request, response) => void answer(objects, request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.closeAllConnections());
  t.teardown(() => void server.close());
  return {
    endpoint: `http://127.0.0.1:${portOf(server)}`,
    bucket: 'files',
    region: 'us-east-1',
    accessKeyId: 'key',
    secretAccessKey: 'secret',
  };
}

async function answer(
  objects: Map<string, Stored>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { pathname } = new URL(request.url ?? '/', 'http://store');
  const content = Buffer.concat(await request.toArray());
  if (pathname === '/files' || pathname === '/files/') response.end();
  else if (request.method === 'PUT') {
    objects.set(pathname, { bytes: content, at: new Date() });
    response.setHeader('etag', '"1"').end();
  } else if (request.method === 'DELETE') {
    objects.delete(pathname);
    response.writeHead(204).end();
  } else send(objects.get(pathname), response);
}

function send(found: Stored | undefined, response: ServerResponse): void {
  if (!found) {
    response.writeHead(404).end();
    return;
  }
  response
    .writeHead(200, { 'content-length': found.bytes.length, 'last-modified': found.at.toUTCString() })
    .end(found.bytes);
}

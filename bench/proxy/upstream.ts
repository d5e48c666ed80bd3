/**
 * The upstream of the measured proxies: 2 KB of JSON for every call, a sink for uploads, a blob for downloads, and a user
 * service with tokens that make a session of 3 KB.
 */

import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../test/support/port.ts';
import { USER } from '../../test/support/user-service.ts';

const BLOB_BYTES = 200 * 1024 * 1024;
const TOKEN_BYTES = 1330;

const list = Buffer.from(JSON.stringify({ code: 0, message: 'ok', data: { text: 'x'.repeat(2048 - 47) } }));
const payload = Buffer.from(JSON.stringify({ sub: '7', exp: Math.floor(Date.now() / 1000) + 86_400 }));
const signedIn = JSON.stringify({
  code: 0,
  message: 'ok',
  data: {
    ...USER,
    access_token: `e30.${payload.toString('base64url')}.${'a'.repeat(TOKEN_BYTES)}`,
    refresh_token: 'r'.repeat(300),
    refresh_expires_in: 86_400,
  },
});
const block = Buffer.alloc(64 * 1024, 'x');

const server = createServer({ keepAliveTimeout: 300_000 }, async (request, response) => {
  const [path = ''] = (request.url ?? '').split('?');
  if (path === '/user/login/code/user') {
    response.setHeader('content-type', 'application/json');
    response.end(signedIn);
  } else if (path.endsWith('/download')) {
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': BLOB_BYTES });
    for (let sent = 0; sent < BLOB_BYTES && !response.destroyed; sent += block.length) {
      if (!response.write(block)) await once(response, 'drain');
    }
    response.end();
  } else {
    for await (const _chunk of request);
    response.writeHead(200, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': list.length,
    });
    response.end(list);
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
process.on('disconnect', () => process.exit(0));
process.send?.({ url: `http://127.0.0.1:${portOf(server)}` });

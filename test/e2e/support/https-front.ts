import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import { portOf } from '../../support/port.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/** A TLS proxy in front of a product. @param name host name in the browser */
export async function startHttpsFront(
  t: Test,
  tls: { cert: string; key: string },
  name = 'localhost',
): Promise<{ publicUrl: string; forwardTo(origin: string): void }> {
  let target = new URL('http://localhost');
  const server = createServer(tls, (request, response) => {
    const { method, url, headers } = request;
    // A new connection: the product may just be closing an idle one.
    const forwarded = httpRequest(target, { method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    forwarded.on('error', () => response.destroy());
    request.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    publicUrl: `https://${name}:${portOf(server)}`,
    forwardTo(origin) {
      target = new URL(origin);
    },
  };
}

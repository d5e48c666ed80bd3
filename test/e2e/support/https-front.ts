import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { createServer } from 'node:https';
import { portOf } from '../../support/port.ts';

type Test = { teardown(action: () => Promise<void>): unknown };

/** Speaks TLS in front of a product, as a deployment's proxy does. `name`: the host that browsers see. */
export async function startHttpsFront(
  t: Test,
  tls: { cert: string; key: string },
  name = 'localhost',
): Promise<{ publicUrl: string; lead(origin: string): void }> {
  let target = new URL('http://localhost');
  const server = createServer(tls, (request, response) => {
    const { method, url, headers } = request;
    // A connection of its own: one that is kept may be closed by the product in this very moment.
    const asked = httpRequest(target, { method, path: url, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy());
    request.pipe(asked);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(async () => {
    server.closeAllConnections();
    server.close();
  });
  return {
    publicUrl: `https://${name}:${portOf(server)}`,
    lead(origin) {
      target = new URL(origin);
    },
  };
}

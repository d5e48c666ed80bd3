import { once } from 'node:events';
import { createServer } from 'node:http';
import { portOf } from '../../support/port.ts';

/** The part of a design tool that waits for its user to come back (RFC 8252 section 7.3). */
export async function waitingTool(t: { teardown(action: () => void): void }): Promise<string> {
  const server = createServer((_request, response) => response.end('Back in the tool.'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${portOf(server)}/callback`;
}

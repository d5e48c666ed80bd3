/**
 * Runs a gateway in its own process: settings from the environment, log to standard output, its address in the
 * first message to the parent. A message `{ ahead }` advances its clock; it ends with its parent.
 */

import { loadConfig } from '../../server/config.ts';
import { createGateway } from '../../server/gateway/app.ts';
import { loadSessionKeys } from '../../server/gateway/session/cookie.ts';
import { createLog } from '../../server/http/log.ts';
import { gatewayCredentials } from '../../server/roles/gateway.ts';
import { portOf } from './port.ts';

const config = loadConfig();
const { community, helpcenter, identity } = config.upstreams;
if (!process.send || !community || !identity) throw new Error('to be started by spawnGateway');

let ahead = 0;
const app = await createGateway({
  config,
  upstreams: { community, helpcenter: helpcenter ?? community, identity },
  credentials: gatewayCredentials(config),
  keys: loadSessionKeys({ configured: config.session.keys, dataDir: config.dataDir }),
  log: createLog({ level: config.logLevel ?? 'info', version: 'test' }),
  now: () => Date.now() + ahead,
  ...(process.env.DATA_DIR !== undefined && { dataDir: config.dataDir }),
});
await app.listen({ host: '127.0.0.1', port: 0, listenTextResolver: () => '' });
process.on('message', (message) => {
  if (typeof message === 'object' && message !== null && 'ahead' in message) ahead = Number(message.ahead);
});
process.on('disconnect', () => process.exit(0));
process.send({ url: `http://127.0.0.1:${portOf(app.server)}` });

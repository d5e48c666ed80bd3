/**
 * `npm run dev`: the services on the sources of the web client, restarted when their own sources change. The database, Vite
 * and the port stay; a request that comes in between waits.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { loadConfig } from '../config.ts';
import { explainError } from '../database/errors.ts';
import { createLog } from '../http/log.ts';
import { databaseOf } from '../roles/database.ts';
import { closeOnSignals, createClosing } from '../runtime/closing.ts';
import { assertListenable, listen } from '../runtime/listening.ts';
import { createFront, serveFront } from './front.ts';
import { runServices } from './services.ts';
import { openSources, watchServices } from './sources.ts';

async function main(): Promise<void> {
  const config = loadConfig();
  const log = createLog({ level: config.logLevel ?? 'warn', version: config.version, isShared: true });
  const closing = createClosing(log);
  closeOnSignals(closing, log);
  try {
    const at = { host: config.host, port: config.port, setting: 'PORT' };
    await assertListenable(at);
    await assertListenable({ host: config.opsHost, port: config.opsPort, setting: 'OPS_PORT' });
    const front = createFront();
    closing.add(() => front.close());
    const { vite, nonce, head } = await openSources(front.server, config.publicUrl);
    closing.add(() => vite.close());
    const databaseUrl = await databaseOf({ config, log, closing });
    const isEmbedded = databaseUrl !== undefined && databaseUrl !== config.databaseUrl;
    const port = await freePort();
    const services = runServices({
      // A configured URL is in the environment of the services; its password must not be among their arguments.
      setup: { port, nonce, head, ...(isEmbedded && { databaseUrl }) },
      vite,
      nodeArguments: process.argv.filter((argument) => argument.startsWith('--inspect')),
    });
    closing.add(() => services.stop());
    watchServices(vite, (path) => {
      process.stdout.write(`Restarting the services: ${relative(process.cwd(), path)} has changed\n`);
      services.restart();
    });
    await serveFront(front, { vite, upstream: `http://127.0.0.1:${port}`, acquire: services.acquire });
    await listen(front, at);
  } catch (error) {
    await closing.close();
    throw error;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  return address.port;
}

try {
  await main();
} catch (error) {
  process.stderr.write(`${explainError(error)}\n`);
  process.exit(1);
}

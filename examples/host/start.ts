/** `npm run host`: the product, and the design tool beside it. */
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { addressesOf, serveHost, siteSettings } from './serve.ts';

const { PORT = '8080', PUBLIC_URL = `http://localhost:${PORT}`, HOST_PORT = '8090' } = process.env;
const ports = { host: Number(HOST_PORT), frames: Number(HOST_PORT) + 1 };

const end = await serveHost(PUBLIC_URL, ports);
const product = spawn(
  process.execPath,
  [fileURLToPath(new URL('../../server/launch/start.js', import.meta.url))],
  { stdio: 'inherit', env: { ...process.env, ...siteSettings(ports) } },
);
const { host, frames } = addressesOf(ports);
console.log(`Canvas: ${host}\nIts frames: ${frames}\nThe store: ${PUBLIC_URL}/plugins/`);

// A terminal sends signals to the product too; it ends by itself.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => product.kill(signal));
product.on('exit', (code) => {
  process.exitCode = code ?? 0;
  end().catch((error: unknown) => console.error(error));
});

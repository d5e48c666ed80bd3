import { rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './port.ts';
import { startProgram } from './program.ts';

/** The whole product like with `npm start`, without installing and building. */
export type Product = {
  origin: string;
  pid: number;
  /** Time from its start to the first home page. */
  secondsToFirstAnswer: number;
  stop(): Promise<void>;
};

/** Starts the product on free ports or the given ones, and waits for the first home page. */
export async function startProduct(
  dataDir: string,
  settings: Record<string, string> = {},
  at: { port?: number } = {},
): Promise<Product> {
  const port = at.port ?? (await freePort());
  const { pid, secondsToReady, stop } = await startProgram(
    { ...process.env, LOG_LEVEL: 'warn', ...settings, PORT: String(port), DATA_DIR: dataDir },
    { port, readyWith: '/plugins/' },
  );
  return { origin: `http://localhost:${port}`, pid, secondsToFirstAnswer: secondsToReady, stop };
}

/** A data folder for one product, deleted with its database, which is in another folder when root started it. */
export async function makeDataFolder(): Promise<{ dir: string; remove(): Promise<void> }> {
  const dir = await mkdtemp(join(tmpdir(), 'plugin-square-product-'));
  const remove = async () => {
    const pointer = await readFile(join(dir, 'database.json'), 'utf8').catch(() => '{}');
    const { home }: { home?: string } = JSON.parse(pointer);
    // At once and in native code: a demo catalogue has 1,500 files.
    for (const folder of home ? [dir, home] : [dir]) rmSync(folder, { recursive: true, force: true });
  };
  return { dir, remove };
}

import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

let address: Promise<string> | undefined;

/**
 * URL of a temporary PostgreSQL: that of the whole run (TEST_DATABASE_URL), or, for a single file, one
 * that this process starts and stops.
 */
export function testServerUrl(): Promise<string> {
  address ??= Promise.resolve(process.env.TEST_DATABASE_URL ?? startServer());
  return address;
}

async function startServer(): Promise<string> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'serve-database.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    child.unref();
    for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
    return line;
  }
  throw new Error('the test database did not start');
}

import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A PostgreSQL server like in production: over TCP, with passwords and TLS, other settings and collation. */
export type TestServer = {
  /** URL of a database of an ordinary role that may create databases. */
  url: string;
  pid: number;
  /** Path of the server's certificate in PEM, which `url` contains. */
  caFile: string;
  /** Version such as 15.18. */
  version: string;
};

let server: Promise<TestServer> | undefined;

/** A server for this process, which ends with it. */
export function testServer(): Promise<TestServer> {
  server ??= startServer();
  return server;
}

async function startServer(): Promise<TestServer> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'serve-postgres.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  if (child.stdout) {
    for await (const line of createInterface({ input: child.stdout })) {
      child.unref();
      for (const stream of [child.stdin, child.stdout]) if (stream instanceof Socket) stream.unref();
      return JSON.parse(line);
    }
  }
  throw new Error('the PostgreSQL server did not start');
}

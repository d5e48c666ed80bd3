import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A PostgreSQL server as an operator has one: over TCP, with passwords and TLS, its own settings and collation. */
export type TestServer = {
  /** Address of a database of an ordinary role that may make databases. */
  url: string;
  pid: number;
  /** Of the server's certificate, as PEM; `url` names it. */
  caFile: string;
  /** As it tells it, such as 15.18. */
  version: string;
};

let server: Promise<TestServer> | undefined;

/** One for this process, which ends with it. */
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

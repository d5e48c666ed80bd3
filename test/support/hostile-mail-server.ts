import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';
import type { MailServer } from '../../server/identity/mail/mailer.ts';

type Teardown = { teardown(handler: () => Promise<void>): void };

/** Behavior of the server at a step of a delivery (RFC 5321): replies, stays silent, or closes the connection. */
export type Act = string | 'hang' | 'drop';
export type Step = 'connect' | 'MAIL' | 'RCPT' | 'DATA' | 'body' | 'dot';

const GOOD: Readonly<Record<Step, Act>> = {
  connect: '220 ready',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  body: '',
  dot: '250 taken',
};

export type HostileMailServer = {
  server: MailServer;
  /** Deviating behavior from now on. */
  behave: (acts: Partial<Record<Step, Act>>) => void;
  /** Message-IDs, once for each message that the server received, completely or in part. */
  seen: string[];
  /** Messages that the server has accepted. */
  taken: string[];
  /** Resolves when a connection has reached this step. */
  reached: (step: Step) => Promise<void>;
};

/** A mail server that can be unavailable, slow, broken or refusing at each step. */
export async function startHostileMailServer(t: Teardown): Promise<HostileMailServer> {
  let acts: Readonly<Record<Step, Act>> = GOOD;
  const seen: string[] = [];
  const taken: string[] = [];
  const steps = new EventTarget();
  const sockets = new Set<Socket>();
  const act = (socket: Socket, step: Step): boolean => {
    const wanted = acts[step];
    steps.dispatchEvent(new Event(step));
    if (wanted === 'drop') socket.destroy();
    else if (wanted !== 'hang' && wanted !== '') socket.write(`${wanted}\r\n`);
    return wanted !== 'drop' && wanted !== 'hang';
  };
  const serve = async (socket: Socket): Promise<void> => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    if (!act(socket, 'connect')) return;
    let message: string[] | undefined;
    const lines = createInterface({ input: socket });
    lines.on('error', () => undefined);
    for await (const line of lines) {
      if (message) {
        message.push(line);
        const id = /^Message-ID: (<.*>)$/i.exec(line)?.[1];
        if (id) {
          seen.push(id);
          if (!act(socket, 'body')) return;
        }
        if (line !== '.') continue;
        if (!act(socket, 'dot')) return;
        if (acts.dot.startsWith('2')) taken.push(message.join('\n'));
        message = undefined;
        continue;
      }
      const command = line.slice(0, 4).toUpperCase();
      if (command === 'QUIT') socket.end('221 bye\r\n');
      else if (command === 'EHLO') socket.write('250 here\r\n');
      else if (command === 'MAIL' || command === 'RCPT' || command === 'DATA') {
        if (!act(socket, command)) return;
        if (command === 'DATA' && acts.DATA.startsWith('3')) message = [];
      } else socket.write('250 ok\r\n');
    }
  };
  // A client that is killed resets its connection.
  const listener = createServer((socket) => void serve(socket).catch(() => undefined));
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  t.teardown(async () => {
    for (const socket of sockets) socket.destroy();
    listener.close();
  });
  const address = listener.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    server: { host: '127.0.0.1', port, tls: 'none' },
    behave: (changed) => {
      acts = { ...GOOD, ...changed };
    },
    seen,
    taken,
    reached: async (step) => void (await once(steps, step)),
  };
}

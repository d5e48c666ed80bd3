import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { portOf } from './port.ts';

/** What a connection, numbered from 1, is told for a command: the bytes of the reply. */
type Answer = (command: readonly string[], connection: number, socket: Socket) => string | Promise<string>;

/** Bytes of a reply, or of what is sent without a question (RESP3). */
export const reply = {
  ok: '+OK\r\n',
  none: '$-1\r\n',
  number: (value: number) => `:${value}\r\n`,
  error: (text: string) => `-${text}\r\n`,
  text: (value: string) => `$${Buffer.byteLength(value)}\r\n${value}\r\n`,
  list: (parts: readonly string[]) => `*${parts.length}\r\n${parts.join('')}`,
  push: (parts: readonly string[]) => `>${parts.length}\r\n${parts.join('')}`,
};

/** A server that answers like Redis, for states that a real one is in for a moment only. @returns its address */
export async function startStubRedis(
  t: { teardown(work: () => void): void },
  answer: Answer,
): Promise<string> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    const connection = connections;
    let text = '';
    let answered = Promise.resolve();
    socket.on('error', () => undefined);
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (let next = readCommand(text); next; next = readCommand(text)) {
        const { command } = next;
        text = next.rest;
        answered = answered.then(async () => void socket.write(await answer(command, connection, socket)));
      }
    });
    t.teardown(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return `redis://127.0.0.1:${portOf(server)}`;
}

/** The first command, an array of bulk strings, if all of it has arrived. */
function readCommand(text: string): { command: string[]; rest: string } | undefined {
  const [head, count] = /^\*(\d+)\r\n/.exec(text) ?? [];
  if (head === undefined) return undefined;
  const command: string[] = [];
  let rest = text.slice(head.length);
  while (command.length < Number(count)) {
    const [start, length] = /^\$(\d+)\r\n/.exec(rest) ?? [];
    if (start === undefined) return undefined;
    const end = start.length + Number(length);
    if (rest.length < end + 2) return undefined;
    command.push(rest.slice(start.length, end));
    rest = rest.slice(end + 2);
  }
  return { command, rest };
}

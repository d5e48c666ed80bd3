import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { portOf } from '../../support/port.ts';

/** One of several that are the same. */
export type Backend = { origin: string; opsOrigin: string };

/** One address before several programs. */
export type Front = {
  url: string;
  /** Puts programs behind it, in place of those before. */
  serve(backends: readonly Backend[]): void;
  /** Resolves when one more program has been found ready. */
  ready(backend: Backend): Promise<void>;
};

const LOOK_EVERY = 100;
/** As front ends do: what may be asked twice without harm is, and anything that has not been sent at all. */
const REPEATABLE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

type Member = Backend & { agent: Agent; isReady: boolean };

/**
 * A load balancer as one has it: it looks every moment at `/readyz`, sends requests to those that are ready in turn, over
 * connections that it keeps, and tries the next one when a connection is refused.
 */
export async function openFront(t: { teardown(work: () => void): void }): Promise<Front> {
  let members: Member[] = [];
  let turn = 0;
  const server = createServer((asked, response) => void pass(asked, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => void Promise.all(members.map(look)), LOOK_EVERY);
  t.teardown(() => {
    clearInterval(timer);
    for (const { agent } of members) agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function pass(asked: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await asked.toArray());
    const ready = members.filter(({ isReady }) => isReady);
    turn += 1;
    for (let tries = 0; tries < Math.min(2, ready.length); tries += 1) {
      const member = ready[(turn + tries) % ready.length];
      if (!member) break;
      const outcome = await send(member, asked, body, response);
      if (outcome === 'passed') return;
      const mayRepeat = outcome === 'ECONNREFUSED' || REPEATABLE.has(asked.method ?? '');
      if (!mayRepeat || response.headersSent) return void fail(response, outcome);
    }
    fail(response, 'nobody is ready');
  }
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    serve(backends) {
      const kept = members.filter(({ origin }) => backends.some((each) => each.origin === origin));
      const added = backends.filter(({ origin }) => kept.every((each) => each.origin !== origin));
      for (const { agent } of members.filter((member) => !kept.includes(member))) agent.destroy();
      members = [
        ...kept,
        ...added.map((each) => ({ ...each, agent: new Agent({ keepAlive: true }), isReady: false })),
      ];
    },
    async ready({ origin }) {
      while (!members.some((member) => member.origin === origin && member.isReady)) {
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY / 4));
      }
    },
  };
}

async function look(member: Member): Promise<void> {
  member.isReady = await fetch(`${member.opsOrigin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function fail(response: ServerResponse, why: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(`front: ${why}`);
}

function send(
  { origin, agent }: Member,
  asked: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<string> {
  const { connection: _hop, ...headers } = asked.headers;
  return new Promise((resolve) => {
    const call = request(`${origin}${asked.url}`, { agent, method: asked.method ?? 'GET', headers });
    call.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    call.on('response', (answer) => {
      const { connection: _own, 'keep-alive': _time, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('end', () => resolve('passed'));
    });
    call.end(body);
  });
}

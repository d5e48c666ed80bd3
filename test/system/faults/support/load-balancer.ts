import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { portOf } from '../../../support/port.ts';
import { until } from '../../../support/until.ts';

export type Backend = { origin: string; opsOrigin: string };

export type LoadBalancer = {
  url: string;
  /** Replaces the programs behind it. */
  serve(backends: readonly Backend[]): void;
  /** Resolves when this program is ready. */
  ready(backend: Backend): Promise<void>;
};

const POLL_INTERVAL = 100;
/** As balancer ends do: what may be incoming twice without harm is, and anything that has not been sent at all. */
const RETRYABLE: ReadonlySet<string> = new Set(['GET', 'HEAD']);

type Member = Backend & { agent: Agent; isReady: boolean };

/**
 * A usual load balancer: it polls `/readyz`, sends requests to the ready programs in turn over keep-alive connections, and
 * tries the next one if a connection is refused.
 */
export async function startLoadBalancer(t: { teardown(work: () => void): void }): Promise<LoadBalancer> {
  let members: Member[] = [];
  let turn = 0;
  const server = createServer((incoming, response) => void proxy(incoming, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const timer = setInterval(() => void Promise.all(members.map(checkReady)), POLL_INTERVAL);
  t.teardown(() => {
    clearInterval(timer);
    for (const { agent } of members) agent.destroy();
    server.closeAllConnections();
    server.close();
  });

  async function proxy(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const ready = members.filter(({ isReady }) => isReady);
    turn += 1;
    for (let tries = 0; tries < Math.min(2, ready.length); tries += 1) {
      const member = ready[(turn + tries) % ready.length];
      if (!member) break;
      const outcome = await send(member, incoming, body, response);
      if (outcome === 'done') return;
      const mayRetry = outcome === 'ECONNREFUSED' || RETRYABLE.has(incoming.method ?? '');
      if (!mayRetry || response.headersSent) return void fail(response, outcome);
    }
    fail(response, 'no program is ready');
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
      await until(() => members.some((member) => member.origin === origin && member.isReady));
    },
  };
}

async function checkReady(member: Member): Promise<void> {
  member.isReady = await fetch(`${member.opsOrigin}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}

function fail(response: ServerResponse, why: string): void {
  if (response.headersSent) response.destroy();
  else response.writeHead(502, { 'content-type': 'text/plain' }).end(`load balancer: ${why}`);
}

function send(
  { origin, agent }: Member,
  incoming: IncomingMessage,
  body: Buffer,
  response: ServerResponse,
): Promise<string> {
  const { connection: _hop, ...headers } = incoming.headers;
  return new Promise((resolve) => {
    const call = request(`${origin}${incoming.url}`, { agent, method: incoming.method ?? 'GET', headers });
    call.on('error', (error) => resolve('code' in error ? String(error.code) : error.message));
    call.on('response', (answer) => {
      const { connection: _own, 'keep-alive': _time, ...passed } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, passed);
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      answer.on('end', () => resolve('done'));
    });
    call.end(body);
  });
}

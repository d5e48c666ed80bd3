import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import { portOf } from './port.ts';

export type SeenRequest = {
  method: string;
  /** The received request target. */
  target: string;
  /** Path without query. */
  path: string;
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  body: Buffer;
};

/** Returns the JSON of the response, or writes the response itself. */
export type StubHandler = (seen: SeenRequest, response: ServerResponse, request: IncomingMessage) => unknown;

export type StubUpstream = {
  url: string;
  port: number;
  /** All received requests, in order. */
  requests: SeenRequest[];
  /** Requests for one `METHOD /path`. */
  seen(route: string): SeenRequest[];
  /** Sets or replaces the handler of `METHOD /path`. */
  on(route: string, handler: StubHandler): void;
  /** Sets the default handler. */
  otherwise(handler: StubHandler): void;
  /** Removes all requests and handlers. */
  reset(): void;
  /** Closes all connections, like a stopped service. */
  stop(): Promise<void>;
  /** Listens again on its port after a stop. */
  resume(): Promise<void>;
};

const ANSWER = Symbol('answer');
type StubAnswer = {
  [ANSWER]: true;
  status: number;
  body: unknown;
  headers: Record<string, string | string[]>;
};

/** A response with another status or body than 200 with an envelope. */
export function stubAnswer(
  status: number,
  body: unknown,
  headers: Record<string, string | string[]> = {},
): StubAnswer {
  return { [ANSWER]: true, status, body, headers };
}

function isStubAnswer(value: unknown): value is StubAnswer {
  return typeof value === 'object' && value !== null && ANSWER in value;
}

/** A stub service on its own port or the given one. It returns 404 without a handler. */
export async function startStub(
  t: { teardown(work: () => Promise<void>): void },
  wantedPort = 0,
): Promise<StubUpstream> {
  const handlers = new Map<string, StubHandler>();
  const requests: SeenRequest[] = [];
  let fallback = notFound;
  const server = createServer({ keepAliveTimeout: 60_000 }, async (request, response) => {
    const { url: target = '/' } = request;
    const { pathname, searchParams } = new URL(
      URL.canParse(target, 'http://stub') ? target : '/',
      'http://stub',
    );
    const seen = {
      method: request.method ?? '',
      target,
      path: pathname,
      query: searchParams,
      headers: request.headers,
      body: Buffer.alloc(0),
    };
    requests.push(seen);
    const handler = handlers.get(`${seen.method} ${pathname}`) ?? fallback;
    if (!unread.has(handler)) seen.body = Buffer.concat(await request.toArray().catch(() => []));
    write(response, await handler(seen, response, request));
  });
  server.listen(wantedPort, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  const resume = async (): Promise<void> => {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  const stop = async (): Promise<void> => {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  };
  t.teardown(stop);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    requests,
    seen: (route) => requests.filter(({ method, path }) => `${method} ${path}` === route),
    on: (route, handler) => void handlers.set(route, handler),
    otherwise: (handler) => {
      fallback = handler;
    },
    reset: () => {
      handlers.clear();
      fallback = notFound;
      requests.length = 0;
    },
    stop,
    resume,
  };
}

const unread = new WeakSet<StubHandler>();

/** A handler that reads the request's body as a stream. */
export function streaming(handler: StubHandler): StubHandler {
  unread.add(handler);
  return handler;
}

const notFound: StubHandler = () => stubAnswer(404, { code: 'NOT_FOUND', message: 'no handler' });

function write(response: ServerResponse, answer: unknown): void {
  if (response.headersSent || response.destroyed || answer === undefined) return;
  const { status, body, headers } = isStubAnswer(answer)
    ? answer
    : stubAnswer(200, { code: 0, message: 'ok', data: answer });
  const bytes = Buffer.isBuffer(body)
    ? body
    : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': bytes.length,
    ...headers,
  });
  response.end(bytes);
}

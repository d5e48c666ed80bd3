import { createServer } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ERRORS } from '../../shared/errors.ts';
import {
  CLIENT_TIMEOUTS,
  type ClientTimeouts,
  lookEvery,
  watchBodies,
  watchConnections,
} from './connections.ts';
import { type AppError, errorEnvelope, toAppError } from './errors.ts';
import { linger, malformedCode, refuseMalformed } from './refuse.ts';
import { validatorCompiler } from './validation.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The span that stands for this request, where requests are traced. */
    traceparent?: string;
  }
}

type AppOptions = {
  log: FastifyBaseLogger;
  /** Bytes a parsed body may have. */
  bodyLimit?: number;
  /** Addresses or ranges of proxies in front, never a number of hops. */
  trustProxy?: string[];
  /** Makes the id of a request; by default a number that counts up. */
  requestId?: () => string;
  /** Milliseconds that requests under way have to finish once the app is closed. */
  closeWithin?: number;
  /** How long clients may take to send. */
  timeouts?: ClientTimeouts;
  /** A page in place of the envelope, for errors that people meet in their browser. */
  errorPage?: (error: AppError, request: FastifyRequest) => ErrorPage | undefined;
};

export type ErrorPage = { headers: Record<string, string>; html: string };

const CLOSE_WITHIN = 10_000;
/** Milliseconds for which a connection without a request is kept: longer than proxies in front keep theirs. */
const KEPT_IDLE = 72_000;

/** Says of requests only why a response that had begun was truncated; a client that has left is no such reason. */
function quietLog(): LogController {
  const controller = new LogController({ disableRequestLogging: true });
  controller.streamError = (error, request) => {
    if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const { cause, code } = toAppError(error);
    const whose = code.startsWith('UPSTREAM_') ? 'upstream response' : 'response';
    request.log.error({ err: cause, code }, `${whose} truncated`);
  };
  return controller;
}

/** A body that Fastify has stopped reading. */
function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/**
 * An HTTP app as all three services have it: contract validation, one error envelope, quiet request log.
 * Errors are logged here, once: what the client did at info, what we did at error.
 */
export function createApp({
  log,
  bodyLimit = 64 * 1024,
  trustProxy = [],
  requestId,
  closeWithin = CLOSE_WITHIN,
  timeouts = CLIENT_TIMEOUTS,
  errorPage = () => undefined,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: quietLog(),
    bodyLimit,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) =>
      // A request without Host is answered like any other fault, with an envelope.
      createServer(
        {
          requireHostHeader: false,
          connectionsCheckingInterval: lookEvery(timeouts),
          keepAliveTimeout: KEPT_IDLE,
          requestTimeout: 0,
        },
        handler,
      ),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
      // Browsers open connections that they never use.
      if (socket.bytesRead === 0) return void socket.destroy();
      const code = malformedCode(error);
      log.info({ code, reason: error.code }, 'unreadable request');
      // What is broken may be the body of a request, or one that came behind it.
      const unanswered = connections.unanswered(socket);
      if (unanswered) unanswered.statusCode = ERRORS[code].status;
      else if (connections.isAnswering(socket)) return void socket.destroy();
      refuseMalformed(socket, code);
    },
    ...(requestId && { genReqId: requestId }),
    frameworkErrors: (error, _request: FastifyRequest, reply: FastifyReply) => {
      const known = toAppError(error);
      reply.code(known.statusCode).send(errorEnvelope(known.code, known));
    },
  });
  const connections = watchConnections(app.server);
  app.server.headersTimeout = timeouts.head;
  watchBodies(app.server, timeouts, ({ socket }, response) => {
    const code = 'REQUEST_TIMEOUT';
    log.info({ code, reason: 'slow body' }, 'unreadable request');
    if (response.headersSent) return void socket.destroy();
    // Whoever waits for the body learns that it will not come; the request's line is to tell what was answered.
    response.statusCode = ERRORS[code].status;
    refuseMalformed(socket, code);
  });
  app.addHook('preClose', async () => {
    connections.drain(closeWithin);
  });
  app.server.on('checkExpectation', ({ socket }) => refuseMalformed(socket, 'EXPECTATION_REFUSED'));
  app.setValidatorCompiler(validatorCompiler);
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    // An error that a handler chose to answer has no cause; its request line tells enough.
    if (known.statusCode >= 500 && known.cause !== undefined) {
      request.log.error({ err: known.cause, code: known.code }, 'request failed');
    }
    if (isTooLarge(error)) {
      // Who is cut off while still sending never reads why.
      linger(request.raw);
      reply.removeHeader('connection');
    }
    const page = errorPage(known, request);
    reply.code(known.statusCode).headers({ ...known.headers, ...page?.headers });
    reply.send(page?.html ?? errorEnvelope(known.code, known));
  });
  app.setNotFoundHandler((_request, reply) => {
    reply.code(404).send(errorEnvelope('NOT_FOUND'));
  });
  return app;
}

/**
 * Lets an empty JSON body stand for no body: clients send `Content-Type: application/json` with the calls whose body
 * is empty too. A body that a call needs is still missed by its validation.
 */
export function allowEmptyJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser('application/json');
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (request, body, done) => {
    if (body.length === 0) done(null, undefined);
    else parse(request, body.toString(), done);
  });
}

/**
 * Does some work while the app listens, again after as many milliseconds as it answers; closing waits for what is under
 * way. The work catches what it throws.
 * @param first milliseconds before the first time
 */
export function repeatWhileListening(
  app: FastifyInstance,
  work: (isClosed: () => boolean) => Promise<number>,
  first = 0,
): void {
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    const wait = await work(() => isClosed);
    if (!isClosed) startAfter(wait);
  };
  const startAfter = (wait: number): void => {
    timer = setTimeout(() => {
      running = run();
    }, wait).unref();
  };
  app.addHook('onListen', async () => startAfter(first));
  app.addHook('onClose', async () => {
    isClosed = true;
    clearTimeout(timer);
    await running;
  });
}

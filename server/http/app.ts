import { createServer } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { ERRORS } from '../../shared/errors.ts';
import { readClientAddress } from './client-address.ts';
import { serializerCompiler, validatorCompiler } from './compilers.ts';
import {
  CLIENT_TIMEOUTS,
  type ClientTimeouts,
  checkInterval,
  watchBodies,
  watchConnections,
} from './connections.ts';
import { type AppError, errorEnvelope, toAppError } from './errors.ts';
import { readJsonBodies } from './json-body.ts';
import { discardBody, malformedCode, refuseMalformed } from './refuse.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The trace context of this request's span, if it is traced. */
    traceparent?: string;
  }
}

type AppOptions = {
  log: FastifyBaseLogger;
  /** Maximum bytes of a parsed body. */
  bodyLimit?: number;
  /** Addresses or ranges of trusted proxies, never a number of hops. */
  trustProxy?: string[];
  /** Creates a request id; by default a counter. */
  requestId?: () => string;
  /** Milliseconds for pending requests when the app is closed. */
  closeWithin?: number;
  timeouts?: ClientTimeouts;
  /** Whether an empty JSON body is accepted as no body. */
  emptyJson?: boolean;
  /** A page in place of the error envelope, for errors in a browser window. */
  errorPage?: (error: AppError, request: FastifyRequest) => ErrorPage | undefined;
  /** The target to route in place of the one of a request. */
  rewriteUrl?: (request: { url?: string | undefined }) => string;
};

export type ErrorPage = { headers: Record<string, string>; html: string };

/** All times in milliseconds. */
const CLOSE_TIMEOUT = 10_000;
/** Longer than the keep-alive timeout of common proxies, so that the proxy closes first. */
const KEEP_ALIVE_TIMEOUT = 72_000;
/** Milliseconds for a plugin to start: on a machine that starts everything at once, Fastify's 10 seconds are too few. */
const PLUGIN_TIMEOUT = 60_000;

/** Logs only truncated responses, except those of clients that have disconnected. */
function createLogController(): LogController {
  const controller = new LogController({ disableRequestLogging: true });
  controller.streamError = (error, request) => {
    if ('code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE') return;
    const { cause, code } = toAppError(error);
    const subject = code.startsWith('UPSTREAM_') ? 'upstream response' : 'response';
    request.log.error({ err: cause, code }, `${subject} truncated`);
  };
  return controller;
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'FST_ERR_CTP_BODY_TOO_LARGE';
}

/** The base of all services. Logs client errors at level info, server errors at level error. */
export function createApp({
  log,
  bodyLimit = 64 * 1024,
  trustProxy = [],
  requestId,
  closeWithin = CLOSE_TIMEOUT,
  timeouts = CLIENT_TIMEOUTS,
  emptyJson = false,
  errorPage = () => undefined,
  rewriteUrl,
}: AppOptions): FastifyInstance {
  const app = Fastify({
    loggerInstance: log,
    logController: createLogController(),
    bodyLimit,
    pluginTimeout: PLUGIN_TIMEOUT,
    trustProxy: trustProxy.length > 0 ? trustProxy : false,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    serverFactory: (handler) =>
      // So that a request without Host gets the error envelope.
      createServer(
        {
          requireHostHeader: false,
          connectionsCheckingInterval: checkInterval(timeouts),
          keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
          requestTimeout: 0,
        },
        handler,
      ),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed || socket.writableEnded) return;
      // Browsers open connections without using them.
      if (socket.bytesRead === 0) return void socket.destroy();
      const code = malformedCode(error);
      log.info({ code, reason: error.code }, 'unreadable request');
      // The malformed data may be the body of a pending request, or a pipelined request after it.
      const response = connections.pendingResponse(socket);
      if (response) response.statusCode = ERRORS[code].status;
      else if (connections.isBusy(socket)) return void socket.destroy();
      refuseMalformed(socket, code, timeouts.refusal);
    },
    ...(requestId && { genReqId: requestId }),
    ...(rewriteUrl && { rewriteUrl }),
    frameworkErrors: (error, _request: FastifyRequest, reply: FastifyReply) => {
      const known = toAppError(error);
      reply.code(known.statusCode).send(errorEnvelope(known.code, known));
    },
  });
  readClientAddress(app, trustProxy);
  readJsonBodies(app, { mayBeEmpty: emptyJson });
  const connections = watchConnections(app.server);
  app.server.headersTimeout = timeouts.head;
  watchBodies(app.server, timeouts, ({ socket }, response) => {
    const code = 'REQUEST_TIMEOUT';
    log.info({ code, reason: 'slow body' }, 'unreadable request');
    if (response.headersSent) return void socket.destroy();
    // For the log line of the request: the response itself is written to the socket.
    response.statusCode = ERRORS[code].status;
    refuseMalformed(socket, code, timeouts.refusal);
  });
  app.addHook('preClose', async () => {
    connections.drain(closeWithin);
  });
  app.server.on('checkExpectation', ({ socket }) =>
    refuseMalformed(socket, 'EXPECTATION_REFUSED', timeouts.refusal),
  );
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error);
    // An error without a cause is intentional; the request's log line has its code.
    if (known.statusCode >= 500 && known.cause !== undefined) {
      request.log.error({ err: known.cause, code: known.code }, 'request failed');
    }
    if (isTooLarge(error)) {
      // A client that is still sending would not read the response if the connection were closed.
      discardBody(request.raw);
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

import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';
import { recordOf, type UpstreamCall } from '../log.ts';
import { withoutSession } from '../session/plugin.ts';
import {
  isNetworkFailure,
  MAX_RESPONSE_BYTES,
  refusalBy,
  type Upstream,
  upstreamError,
  withCredential,
} from '../upstream.ts';
import type { ProxyCall } from './access.ts';
import {
  authorization,
  isJson,
  isText,
  maskFor,
  requestHeaders,
  responseHeaders,
  type UpstreamHeaders,
} from './headers.ts';
import { bodyWithoutTokenFields, type TokenMask, tokenPatternsOf } from './tokens.ts';

/** `body`: undefined if it is empty; Fastify would serialize null as JSON. */
type Response = { statusCode: number; headers: UpstreamHeaders; body: Buffer | Readable | undefined };

type Exchange = {
  upstream: Upstream;
  call: ProxyCall;
  options: Dispatcher.DispatchOptions;
  /** A method for its bivariant parameters: the library reads only these fields of a response. */
  done(error: Error | null, response: Response): void;
  /** It can be sent again with a new token (R 9.18). */
  mayRefresh: boolean;
  /** It can be sent again if there was no response (R 10.10). */
  mayRetry: boolean;
};

/** Up to this size a body is sent as one buffer, which is fastest. */
const BUFFERED_BYTES = 16 * 1024;

/** Key of the call in its request headers: the library passes neither the call nor a signal to `request`. */
const CALL = Symbol('call');

const CLIENT_ABORTED = new Error('client aborted the request');
const TOKEN_REJECTED = new Error('access token rejected');
const TOO_LARGE = new Error('response too large');

/** Headers of the upstream request, with its call, for `rewriteRequestHeaders`. */
export function headersOf(call: ProxyCall, headers: Parameters<typeof requestHeaders>[1]) {
  const isReadable = call.answersUser || tokenPatternsOf(call) !== undefined;
  return Object.assign(requestHeaders(call.request, headers, { isReadable }), { [CALL]: call });
}

/** Adds refresh, replay, retry and abort to @fastify/reply-from, which cannot do them, as its `undici`. */
export function connectionsTo(upstream: Upstream) {
  function request<T>(options: Dispatcher.RequestOptions<T>): Promise<Dispatcher.ResponseData<T>>;
  function request<T>(
    options: Dispatcher.RequestOptions<T>,
    done: (error: Error | null, response: Dispatcher.ResponseData<T>) => void,
  ): void;
  /** The library uses only the second overload. */
  function request(options: Dispatcher.DispatchOptions, done: Exchange['done'] = () => undefined): unknown {
    const { body, headers, method } = options;
    if (!hasCall(headers)) throw new Error('headers without their call');
    const call = headers[CALL];
    return send({
      upstream,
      call,
      options: {
        ...options,
        headers: withCredential(upstream, headers),
        path: upstream.basePath + call.target,
      },
      done,
      mayRefresh: call.request.session !== null && !(body instanceof Readable),
      mayRetry: method === 'GET' || method === 'HEAD',
    });
  }
  return { request };
}

function hasCall(headers: unknown): headers is { [CALL]: ProxyCall } {
  return typeof headers === 'object' && headers !== null && CALL in headers;
}

/** undici passes errors that its callbacks throw to `onResponseError`. */
function send(exchange: Exchange): void {
  const { upstream, call, options, done, mayRefresh, mayRetry } = exchange;
  const { request, reply, answersUser } = call;
  const record = recordOf(request);
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const note: UpstreamCall = { name: upstream.name, attempts: (record.upstream?.attempts ?? 0) + 1 };
  record.upstream = note;
  const observe = upstream.watch();
  const fail = (error: unknown): void => void (reply.raw.destroyed || reply.send(error));
  const response: Response = { statusCode: 0, headers: {}, body: undefined };
  let mask: TokenMask | undefined;
  let stream: Readable | undefined;
  const chunks: Buffer[] = [];
  let size = 0;

  upstream.dispatcher.dispatch(options, {
    onRequestStart(controller) {
      reply.raw.once('close', () => controller.abort(CLIENT_ABORTED));
      if (reply.raw.destroyed) controller.abort(CLIENT_ABORTED);
    },
    onResponseStart(controller, statusCode, headers) {
      if (statusCode < 200) return;
      note.status = statusCode;
      note.first_byte_ms = elapsed();
      if (statusCode === 401 && mayRefresh) return controller.abort(TOKEN_REJECTED);
      const refusal = refusalBy(upstream, statusCode, headers);
      if (refusal) return controller.abort(refusal);
      // Visitors do not get it after all.
      if (statusCode === 401 && request.sessionFailure) return controller.abort(request.sessionFailure);
      mask = maskFor(call, statusCode, headers);
      response.statusCode = statusCode;
      response.headers = responseHeaders(call, statusCode, headers, mask);
      if (answersUser || isSmall(options, statusCode, headers)) return;
      stream = bodyOf(controller);
      done(null, { ...response, body: stream });
    },
    onResponseData(controller, chunk) {
      if (stream) {
        if (!stream.push(mask?.push(chunk) ?? chunk)) controller.pause();
        return;
      }
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_RESPONSE_BYTES) controller.abort(appError('UPSTREAM_INVALID', { cause: TOO_LARGE }));
    },
    onResponseEnd() {
      note.total_ms = elapsed();
      observe(note.status);
      if (stream) {
        if (mask) stream.push(mask.end());
        stream.push(null);
        return;
      }
      if (size === 0) return done(null, response);
      const received = Buffer.concat(chunks, size);
      const { headers } = response;
      const body =
        answersUser && isText(headers)
          ? bodyWithoutTokenFields(received, { isJson: isJson(headers) })
          : received;
      done(null, { ...response, body: mask?.whole(body) ?? body });
    },
    onResponseError(_controller, cause) {
      const error = upstreamError(cause);
      note.total_ms = elapsed();
      observe(cause === TOKEN_REJECTED ? note.status : undefined);
      const isAborted = reply.raw.destroyed;
      if (reply.raw.headersSent && !isAborted) {
        note.cut = true;
        record.code = error.code;
      }
      if (stream) stream.destroy(error);
      else if (cause === TOKEN_REJECTED) replay(exchange).catch(fail);
      else if (mayRetry && note.status === undefined && isNetworkFailure(error) && !isAborted)
        send({ ...exchange, mayRetry: false });
      else fail(error);
    },
  });
}

/**
 * Sends a call again with a new access token, or as one of a visitor.
 * @throws as `renewSession`
 */
async function replay(exchange: Exchange): Promise<void> {
  const { call, options, upstream } = exchange;
  const { request, orAnonymous } = call;
  await request.renewSession().catch((error) => {
    if (!orAnonymous) throw error;
    return withoutSession(request, error);
  });
  const headers = { ...options.headers, authorization: upstream.credential, ...authorization(request) };
  send({ ...exchange, options: { ...options, headers }, mayRefresh: false });
}

/** The response body as a stream with back-pressure; destroying it aborts the upstream request. */
function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read: () => controller.resume(),
    destroy: (error, done) => {
      controller.abort(error ?? CLIENT_ABORTED);
      done(error);
    },
  });
  // The reader handles errors; an error event without a listener would end the process.
  return body.on('error', () => undefined);
}

/** Without a content type the body is streamed: Fastify would add a type to a buffer. */
function isSmall({ method }: Dispatcher.DispatchOptions, status: number, headers: UpstreamHeaders): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) return true;
  return headers['content-type'] !== undefined && Number(headers['content-length']) <= BUFFERED_BYTES;
}

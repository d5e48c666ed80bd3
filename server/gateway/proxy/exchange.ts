import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';
import { recordOf, type UpstreamNote } from '../log.ts';
import { ANSWER_BYTES, isNetworkFailure, type Upstream, upstreamError } from '../upstream.ts';
import type { ProxyCall } from './access.ts';
import { authorization, requestHeaders } from './request.ts';
import { isJson, isText, maskFor, responseHeaders, type UpstreamHeaders } from './response-headers.ts';
import { bodyWithoutTokenFields, type TokenMask, wantedIn } from './tokens.ts';

/** `body`: none where it is empty; a null would be written as JSON's. */
type Response = { statusCode: number; headers: UpstreamHeaders; body: Buffer | Readable | undefined };

/** A call on its way: what may still be done for it, and how its response is handed on. */
type Exchange = {
  upstream: Upstream;
  call: ProxyCall;
  options: Dispatcher.DispatchOptions;
  /** A method, whose parameters are compared both ways: the library reads no more of a response than stands here. */
  done(error: Error | null, response: Response): void;
  /** It can be sent again with another token (requirement 18). */
  mayRefresh: boolean;
  /** It can be sent again when no response came (requirement 32). */
  mayRetry: boolean;
};

/** Bytes up to which a body is handed on as one buffer, which costs the least. */
const WHOLE_BYTES = 16 * 1024;

/** Where a request's headers carry the call they belong to: the library tells `request` neither a call nor a signal. */
const CALL = Symbol('call');

const LEFT = new Error('the client has left');
const REFUSED = new Error('the access token was refused');
const TOO_LARGE = new Error('response too large');

/** Headers of the request that goes upstream, with its call, for `rewriteRequestHeaders`. */
export function headersOf(call: ProxyCall, headers: Parameters<typeof requestHeaders>[1]) {
  const isReadable = call.answersUser || wantedIn(call) !== undefined;
  return Object.assign(requestHeaders(call.request, headers, { isReadable }), { [CALL]: call });
}

/**
 * An upstream's connections as @fastify/reply-from takes them: with refresh and replay, the one retry and the abort when
 * the client leaves, for which the library has no place. Failures are answered here, in the envelope.
 */
export function connectionsTo(upstream: Upstream) {
  function request<T>(options: Dispatcher.RequestOptions<T>): Promise<Dispatcher.ResponseData<T>>;
  function request<T>(
    options: Dispatcher.RequestOptions<T>,
    done: (error: Error | null, response: Dispatcher.ResponseData<T>) => void,
  ): void;
  /** The library calls the second form alone. */
  function request(options: Dispatcher.DispatchOptions, done: Exchange['done'] = () => undefined): unknown {
    const { body, headers, method } = options;
    if (!carriesCall(headers)) throw new Error('headers without their call');
    const call = headers[CALL];
    return send({
      upstream,
      call,
      options: { ...options, path: upstream.basePath + call.target },
      done,
      mayRefresh: call.request.session !== null && !(body instanceof Readable),
      mayRetry: method === 'GET' || method === 'HEAD',
    });
  }
  return { request };
}

function carriesCall(headers: unknown): headers is { [CALL]: ProxyCall } {
  return typeof headers === 'object' && headers !== null && CALL in headers;
}

/** What throws in one of undici's callbacks comes to `onResponseError`; nothing here may reach it otherwise. */
function send(exchange: Exchange): void {
  const { upstream, call, options, done, mayRefresh, mayRetry } = exchange;
  const { request, reply, answersUser } = call;
  const record = recordOf(request);
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const note: UpstreamNote = { name: upstream.name, attempts: (record.upstream?.attempts ?? 0) + 1 };
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
      reply.raw.once('close', () => controller.abort(LEFT));
      if (reply.raw.destroyed) controller.abort(LEFT);
    },
    onResponseStart(controller, statusCode, headers) {
      if (statusCode < 200) return;
      note.status = statusCode;
      note.first_byte_ms = elapsed();
      if (statusCode === 401 && mayRefresh) return controller.abort(REFUSED);
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
      if (size > ANSWER_BYTES) controller.abort(appError('UPSTREAM_INVALID', { cause: TOO_LARGE }));
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
      observe(cause === REFUSED ? note.status : undefined);
      const hasLeft = reply.raw.destroyed;
      if (reply.raw.headersSent && !hasLeft) {
        note.cut = true;
        record.code = error.code;
      }
      if (stream) stream.destroy(error);
      else if (cause === REFUSED) replay(exchange).catch(fail);
      else if (mayRetry && note.status === undefined && isNetworkFailure(error) && !hasLeft)
        send({ ...exchange, mayRetry: false });
      else fail(error);
    },
  });
}

/** Sends a call again with another access token. @throws as `renewSession` */
async function replay(exchange: Exchange): Promise<void> {
  const { call, options } = exchange;
  await call.request.renewSession();
  const headers = { ...options.headers, ...authorization(call.request) };
  send({ ...exchange, options: { ...options, headers }, mayRefresh: false });
}

/** A body that goes at the pace of its reader; whoever destroys it ends the request. */
function bodyOf(controller: Dispatcher.DispatchController): Readable {
  const body = new Readable({
    read: () => controller.resume(),
    destroy: (error, done) => {
      controller.abort(error ?? LEFT);
      done(error);
    },
  });
  // Its reader is told as well; an error event that nobody listens to would end the process.
  return body.on('error', () => undefined);
}

/** Fastify names a type for a buffer that has none. */
function isSmall({ method }: Dispatcher.DispatchOptions, status: number, headers: UpstreamHeaders): boolean {
  if (method === 'HEAD' || status === 204 || status === 304) return true;
  return headers['content-type'] !== undefined && Number(headers['content-length']) <= WHOLE_BYTES;
}

import { Readable } from 'node:stream';
import type { FastifyHttpProxyOptions } from '@fastify/http-proxy';
import type { FastifyRequest } from 'fastify';
import type { Dispatcher } from 'undici';
import { appError } from '../../http/errors.ts';
import { recordOf, type UpstreamNote } from '../log/record.ts';
import type { Session } from '../session/session.ts';
import { tokensOf } from '../session/sessions.ts';
import { isNetworkFailure, upstreamError } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type ProxyCall, proxyCallOf } from './access.ts';
import { upstreamHeaders } from './request-headers.ts';
import { type ProxyResponse, responseTo, type UpstreamHeaders } from './response.ts';
import { isJson, isText, passedHeaders, refuseUnreadable } from './response-headers.ts';
import { bodyWithoutTokenFields } from './token-fields.ts';
import { createTokenMask, type Wanted, wantedOf } from './token-mask.ts';

type Connections = Extract<NonNullable<FastifyHttpProxyOptions['undici']>, { request: unknown }>;
type Done = (error: null, response: ProxyResponse) => void;

/** Where a request's headers carry the call they belong to: the library tells `request` neither a call nor a signal. */
const CALL = Symbol('call');

/** Headers of the request that goes upstream, for `rewriteRequestHeaders`. */
export function requestHeaders(asked: Pick<FastifyRequest, 'proxyCall'>): Record<string, string> {
  const call = proxyCallOf(asked);
  const { request } = call;
  const { gateway, knownDevices } = request.server;
  const { body, session } = request;
  const isIdentity = request.routeOptions.config.proxied?.upstream === 'identity';
  const headers = upstreamHeaders(request, {
    publicUrl: gateway.publicUrl,
    language: request.language,
    bearer: session?.access_token ?? request.publishToken,
    isReadable: wantedIn(call) !== undefined || call.answersUser,
    contentLength: body instanceof Readable ? request.headers['content-length'] : undefined,
    devices: isIdentity ? knownDevices.headers(request.cookies) : {},
  });
  return Object.assign(headers, { [CALL]: call });
}

/**
 * An upstream's connections as @fastify/reply-from takes them. A response 401 to a bearer is followed by one refresh and one
 * replay when the body can be sent again (requirement 18); a GET without a response is tried once more (requirement 32).
 * Failures are answered here, in the envelope, and nobody is answered who has left.
 */
export function connectionsTo(upstream: Upstream): Connections {
  const request = (options: Dispatcher.DispatchOptions, done: Done): void => {
    const call = callIn(options.headers);
    const hasLeft = (): boolean => call.hasLeft || call.request.raw.aborted;
    exchange(upstream, call, { ...options, path: upstream.basePath + call.target })
      .then((response) => hasLeft() || done(null, response))
      // What the library's callback throws comes here as well; elsewhere it would end the process.
      .catch((error: unknown) => hasLeft() || void call.reply.send(error));
  };
  // The library calls it in this form alone.
  return { request: request as unknown as Connections['request'] };
}

function callIn(headers: unknown): ProxyCall {
  const call = (headers as { [CALL]?: ProxyCall })[CALL];
  if (!call) throw new Error('headers without their call');
  return call;
}

async function exchange(
  upstream: Upstream,
  call: ProxyCall,
  options: Dispatcher.DispatchOptions,
): Promise<ProxyResponse> {
  const { request } = call;
  const mayReplay = request.session !== null && !(options.body instanceof Readable);
  const response = await attempt(upstream, call, options, mayReplay);
  if (response) return response;
  const { access_token } = await request.renewSession();
  const headers = { ...options.headers, authorization: `Bearer ${access_token}` };
  const replayed = await attempt(upstream, call, { ...options, headers }, false);
  if (!replayed) throw appError('UPSTREAM_INVALID');
  return replayed;
}

async function attempt(
  upstream: Upstream,
  call: ProxyCall,
  options: Dispatcher.DispatchOptions,
  dropRefused: boolean,
): Promise<ProxyResponse | undefined> {
  const once = () => sendOnce(upstream, call, options, dropRefused);
  const isRepeatable = options.method === 'GET' || options.method === 'HEAD';
  return once().catch((error: unknown) => {
    if (!isRepeatable || call.hasLeft || !isNetworkFailure(error)) throw error;
    return once();
  });
}

function sendOnce(
  upstream: Upstream,
  call: ProxyCall,
  options: Dispatcher.DispatchOptions,
  dropRefused: boolean,
): Promise<ProxyResponse | undefined> {
  const { request, reply, answersUser } = call;
  const isHead = request.method === 'HEAD';
  const record = recordOf(request);
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const note: UpstreamNote = { name: upstream.name, attempts: (record.upstream?.attempts ?? 0) + 1 };
  record.upstream = note;
  const observe = upstream.watch();
  let isDropped = false;

  return responseTo(upstream.dispatcher, options, {
    onStart: (abort) => {
      call.abort = abort;
      if (call.hasLeft) abort();
    },
    onHead: (status, headers) => {
      note.status = status;
      note.first_byte_ms = elapsed();
      isDropped = status === 401 && dropRefused;
      return isDropped ? undefined : headOf(call, status, headers);
    },
    rewrite: answersUser
      ? (body, headers) =>
          isHead || !isText(headers) ? body : bodyWithoutTokenFields(body, { isJson: isJson(headers) })
      : undefined,
    onEnd: (error) => {
      note.total_ms = elapsed();
      observe(error === undefined || isDropped ? note.status : undefined);
      if (error === undefined || call.hasLeft || !reply.raw.headersSent) return;
      note.cut = true;
      record.code = upstreamError(error).code;
    },
  });
}

/** Looked at here: what `rewriteHeaders` of the library throws ends the process. @throws AppError UPSTREAM_INVALID */
function headOf(call: ProxyCall, status: number, headers: UpstreamHeaders) {
  const { request, isFile } = call;
  if (status > 599) throw appError('UPSTREAM_INVALID', { cause: new Error(`status ${status}`) });
  const passed = passedHeaders(headers, request.server.gateway.publicUrl.origin);
  const wanted = wantedIn(call);
  const readsEscapes = isText(headers);
  const mask = wanted && createTokenMask(wanted, { readsEscapes });
  if (mask) {
    if (readsEscapes && request.method !== 'HEAD') refuseUnreadable(status, headers);
    for (const [name, value] of Object.entries(passed)) passed[name] = mask.text(value);
  }
  if (request.session && !isFile) passed['cache-control'] = 'no-store';
  return { headers: passed, mask };
}

const wantedBySession = new WeakMap<Session, Wanted>();

/** The tokens of a session's copies, mostly one and the same, or of the browser, as they are looked for in responses. */
function wantedIn({ request: { sessionState: state }, tokens }: ProxyCall): Wanted | undefined {
  if (state?.kind !== 'signed-in') return tokens.length > 0 ? wantedOf(tokens) : undefined;
  const { session, fromCookie } = state;
  if (fromCookie !== session) return wantedOf(tokensOf([session, fromCookie]));
  const wanted = wantedBySession.get(session) ?? wantedOf(tokensOf([session]));
  wantedBySession.set(session, wanted);
  return wanted;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCookies } from '../../http/cookies.ts';
import { recordOf, type UpstreamNote } from '../request-record.ts';
import { type Admitted, withSession } from '../session/admit.ts';
import { isNetworkFailure } from '../upstream/failure.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type RequestBody, requestBody } from './body.ts';
import { type ForwardEnd, forward, type OnHead } from './forward.ts';
import type { ProxyParts } from './parts.ts';
import { upstreamHeaders } from './request-headers.ts';
import { passedHeaders } from './response-headers.ts';

/** One call that passes: who asks, where it goes, and how the answer may be kept. */
export type Call = {
  visit: Admitted;
  /** Stands in for a session's access token. */
  publishToken?: string | undefined;
  upstream: Upstream;
  /** Path and query below the upstream's base address. */
  target: string;
  bodyLimit: number;
  /** A file keeps the upstream's Cache-Control; other answers to a session are never stored. */
  isFile: boolean;
};

/**
 * Passes a call on and its answer back. An answer 401 to a bearer is followed by one refresh and one replay when the
 * body can be sent again (requirement 18); a GET without an answer is tried once more (requirement 32).
 */
export async function passOn(
  parts: ProxyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
): Promise<void> {
  const body = await requestBody(request.raw, call.bodyLimit);
  try {
    const mayReplay = call.visit.kind === 'signed-in' && body.kind !== 'stream';
    const end = await attempt(parts, request, reply, call, body, mayReplay);
    if (end !== 'dropped' || call.visit.kind !== 'signed-in') return;
    const visit = await withSession(parts.sessions, request, reply, call.visit, parts.sessions.renew);
    await attempt(parts, request, reply, { ...call, visit }, body, false);
  } finally {
    if (body.kind === 'stream') body.release();
  }
}

async function attempt(
  parts: ProxyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  body: RequestBody,
  dropRefused: boolean,
): Promise<ForwardEnd> {
  const once = () => sendOnce(parts, request, reply, call, body, dropRefused);
  const isRepeatable = request.method === 'GET' || request.method === 'HEAD';
  return once().catch((error: unknown) => {
    if (!isRepeatable || !isNetworkFailure(error)) throw error;
    return once();
  });
}

function sendOnce(
  parts: ProxyParts,
  request: FastifyRequest,
  reply: FastifyReply,
  call: Call,
  body: RequestBody,
  dropRefused: boolean,
): Promise<ForwardEnd> {
  const { visit, publishToken, upstream, target, isFile } = call;
  const started = performance.now();
  const elapsed = (): number => Math.round(performance.now() - started);
  const noted: UpstreamNote = {
    name: upstream.name,
    attempts: (recordOf(request).upstream?.attempts ?? 0) + 1,
  };
  recordOf(request).upstream = noted;

  const onHead: OnHead = (status, headers) => {
    noted.status = status;
    noted.first_byte_ms = elapsed();
    if (status === 401 && dropRefused) return undefined;
    const passed = passedHeaders(headers, parts.publicUrl.origin);
    const cookies = isFile ? [] : parts.sessions.cookies(visit, request.cookies, { slide: true });
    const isPrivate = cookies.length > 0 || (visit.kind === 'signed-in' && !isFile);
    reply.headers(passed);
    if (isPrivate) reply.header('cache-control', 'no-store');
    setCookies(reply, cookies);
    if (body.kind === 'stream' && !request.raw.complete) reply.header('connection', 'close');
    reply.hijack();
    return definedHeaders(reply);
  };
  return forward(
    {
      upstream,
      method: request.method,
      path: upstream.basePath + target,
      headers: upstreamHeaders(request, {
        publicUrl: parts.publicUrl,
        language: parts.chooseLanguage(request),
        bearer: visit.kind === 'signed-in' ? visit.session.access_token : publishToken,
        contentLength: body.kind === 'stream' ? body.length : undefined,
      }),
      body: body.kind === 'whole' ? body.bytes : body.kind === 'stream' ? body.stream : null,
      onEnd: () => {
        noted.total_ms = elapsed();
      },
      onCut: ({ code, cause }) => {
        noted.cut = true;
        recordOf(request).code = code;
        request.log.error({ err: cause, code }, 'answer broken off');
      },
    },
    reply.raw,
    onHead,
  );
}

function definedHeaders(reply: FastifyReply): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

import type { FastifyReply, FastifyRequest } from 'fastify';
import { setCookies } from '../../http/cookies.ts';
import { recordOf, type UpstreamNote } from '../log/record.ts';
import { writeSessionCookies } from '../session/plugin.ts';
import type { Session } from '../session/session.ts';
import { tokensOf } from '../session/sessions.ts';
import { isNetworkFailure } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';
import { type RequestBody, requestBody } from './body.ts';
import { type ForwardEnd, forward, type OnHead } from './forward.ts';
import { upstreamHeaders } from './request-headers.ts';
import { isJson, isText, passedHeaders, refuseUnreadable } from './response-headers.ts';
import { bodyWithoutTokenFields } from './token-fields.ts';
import { createTokenMask, type Wanted, wantedOf } from './token-mask.ts';

/** One call that passes: where it goes, and how the answer may be cached. */
export type Call = {
  upstream: Upstream;
  /** Path and query below the upstream's base address. */
  target: string;
  bodyLimit: number;
  /** A file keeps the upstream's Cache-Control; other answers to a session are never stored. */
  isFile: boolean;
  /** The answer tells of a user: it is read whole, and fields for tokens are taken out. */
  answersUser: boolean;
};

/**
 * Passes a call on and its answer back. An answer 401 to a bearer is followed by one refresh and one replay when the
 * body can be sent again (requirement 18); a GET without an answer is tried once more (requirement 32).
 */
export async function proxyRequest(request: FastifyRequest, reply: FastifyReply, call: Call): Promise<void> {
  const body = await requestBody(request.raw, call.bodyLimit);
  try {
    // What the gateway does not send may still be known to the service, and stand in its answer.
    const tokens = request.session ? [] : await request.sessionTokens();
    const mayReplay = request.session !== null && body.kind !== 'stream';
    const end = await attempt(request, reply, { ...call, tokens }, body, mayReplay);
    if (end !== 'dropped') return;
    await request.renewSession();
    await attempt(request, reply, { ...call, tokens }, body, false);
  } finally {
    if (body.kind === 'stream') body.release();
  }
}

type Sent = Call & { tokens: readonly string[] };

async function attempt(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Sent,
  body: RequestBody,
  dropRefused: boolean,
): Promise<ForwardEnd> {
  const once = () => sendOnce(request, reply, call, body, dropRefused);
  const isRepeatable = request.method === 'GET' || request.method === 'HEAD';
  return once().catch((error: unknown) => {
    if (!isRepeatable || !isNetworkFailure(error)) throw error;
    return once();
  });
}

function sendOnce(
  request: FastifyRequest,
  reply: FastifyReply,
  call: Sent,
  body: RequestBody,
  dropRefused: boolean,
): Promise<ForwardEnd> {
  const { gateway, knownDevices, upstreams } = request.server;
  const { publicUrl } = gateway;
  const { session, sessionState: state } = request;
  const { upstream, target, tokens, isFile, answersUser } = call;
  const copies = state?.kind === 'signed-in' ? [state.session, state.fromCookie] : [];
  const wanted = wantedIn(copies) ?? (tokens.length > 0 ? wantedOf(tokens) : undefined);
  const isIdentity = upstream === upstreams.identity;
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
    const passed = passedHeaders(headers, publicUrl.origin);
    const readsEscapes = isText(headers);
    const mask = wanted && createTokenMask(wanted, { readsEscapes });
    if (mask) {
      if (readsEscapes && request.method !== 'HEAD') refuseUnreadable(status, headers);
      for (const [name, value] of Object.entries(passed)) passed[name] = mask.text(value);
    }
    const deletions = isIdentity && !isFile ? knownDevices.clearUnusable(request.cookies) : [];
    reply.headers(passed);
    if (deletions.length > 0 || (session && !isFile)) reply.header('cache-control', 'no-store');
    setCookies(reply, deletions);
    writeSessionCookies(request, reply);
    if (body.kind === 'stream' && !request.raw.complete) reply.header('connection', 'close');
    reply.hijack();
    return { headers: definedHeaders(reply), mask };
  };
  return forward(
    {
      upstream,
      method: request.method,
      path: upstream.basePath + target,
      headers: upstreamHeaders(request, {
        publicUrl,
        language: request.language,
        bearer: session?.access_token ?? request.publishToken,
        isReadable: wanted !== undefined || answersUser,
        contentLength: body.kind === 'stream' ? body.length : undefined,
        devices: isIdentity ? knownDevices.headers(request.cookies) : {},
      }),
      ...(answersUser && {
        rewrite: (bytes, headers) => {
          if (request.method === 'HEAD' || !isText(headers)) return bytes;
          return bodyWithoutTokenFields(bytes, { isJson: isJson(headers) });
        },
      }),
      body: body.kind === 'whole' ? body.bytes : body.kind === 'stream' ? body.stream : null,
      onEnd: () => {
        noted.total_ms = elapsed();
      },
      onCut: ({ code, cause }) => {
        noted.cut = true;
        recordOf(request).code = code;
        request.log.error({ err: cause, code }, 'upstream response truncated');
      },
    },
    reply.raw,
    onHead,
  );
}

const wantedBySession = new WeakMap<Session, Wanted>();

/** The tokens of a session's copies, mostly one and the same, as they are looked for in answers. */
function wantedIn(copies: readonly Session[]): Wanted | undefined {
  const [session, other] = copies;
  if (!session) return undefined;
  if (other && other !== session) return wantedOf(tokensOf(copies));
  const wanted = wantedBySession.get(session) ?? wantedOf(tokensOf([session]));
  wantedBySession.set(session, wanted);
  return wanted;
}

function definedHeaders(reply: FastifyReply): Record<string, string | string[] | number> {
  const headers: Record<string, string | string[] | number> = {};
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) headers[name] = value;
  }
  return headers;
}

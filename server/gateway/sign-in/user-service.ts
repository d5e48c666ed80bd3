import type { FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { LoginMethod, UserInfo } from '../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { tolerant } from '../../../shared/tolerant.ts';
import { type UserServiceCall, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { newSession } from '../session/session.ts';
import { callUpstream, headerOf, isObject, jsonObject, NO_CACHE, type Upstream } from '../upstream.ts';
import { type SignedIn, tokenClaims, tokensFromResponse, withUserToken } from './provider.ts';

/** Longer identifiers of users and sessions are ignored. */
const IDENTIFIER_LENGTH = 255;

const FORM = 'application/x-www-form-urlencoded';

const userShape = shapeOf(UserInfo);

/** A response of the user service, unwrapped. */
export type UserServiceAnswer = {
  /** The HTTP status, or the code of the envelope if a service sends errors with status 200. */
  status: number;
  ok: boolean;
  /** The payload: the envelope's inner or outer `data`, or the body. */
  data: Record<string, unknown>;
  /** The complete body; empty if it is not a JSON object. */
  body: Record<string, unknown>;
  /** The Date header, to compare clocks. */
  date: string | undefined;
  /** The Retry-After header. */
  retryAfter: string | undefined;
};

type UserServiceInput = {
  bearer?: string;
  query?: Record<string, string>;
  /** Values of the path's `{key}` parameters. */
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  /** Sent as a form, in place of `body`. */
  form?: Record<string, string>;
  headers?: Record<string, string>;
  /** The field that is read, if it is not the default of the call. */
  reads?: string;
  /** Milliseconds; by default the timeout of the user service. */
  timeout?: number;
};

export type UserService = ReturnType<typeof createUserService>;

/** The calls of the user service (R 14.43 to 14.53). */
export function createUserService(upstream: Upstream) {
  return {
    /** The gateway has a credential of its own there (RFC 6749 section 2.1). */
    isConfidential: upstream.credential !== undefined,
    /** @throws AppError UPSTREAM_* */
    async call(
      name: keyof typeof userServiceCalls,
      { bearer, query, params = {}, body = {}, form, headers, timeout, ...input }: UserServiceInput = {},
    ): Promise<UserServiceAnswer> {
      const { method, path, ...call }: UserServiceCall = userServiceCalls[name];
      const reads = input.reads ?? call.reads;
      const search = query ? `?${new URLSearchParams(query)}` : '';
      const answer = await callUpstream(upstream, {
        method,
        path: `/${fillParams(path, params)}${search}`,
        headers: {
          ...headers,
          accept: 'application/json',
          ...NO_CACHE,
          ...(method === 'POST' && { 'content-type': form ? FORM : 'application/json' }),
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        ...(method === 'POST' && { body: form ? String(new URLSearchParams(form)) : JSON.stringify(body) }),
        ...(timeout !== undefined && { timeout }),
      });
      const read = jsonObject(answer.body);
      const status = answer.status === 200 ? statusOfEnvelope(read, reads) : answer.status;
      return {
        status,
        ok: status >= 200 && status < 300,
        data: payloadOf(read, reads),
        body: read,
        date: headerOf(answer.headers, 'date'),
        retryAfter: headerOf(answer.headers, 'retry-after'),
      };
    },
  };
}

/** A call with the user's token, refreshed once. @throws AppError UNAUTHENTICATED, SESSION_ENDED, UPSTREAM_* */
export async function callAsUser(
  request: FastifyRequest,
  name: keyof typeof userServiceCalls,
  input: UserServiceInput = {},
): Promise<UserServiceAnswer> {
  const { userService } = request.server;
  if (!userService) throw new Error('no user service');
  return withUserToken(request, async ({ access_token: bearer }) => {
    const answer = await userService.call(name, { ...input, bearer });
    if (answer.status === 401) throw appError('TOKEN_INVALID');
    return answer;
  });
}

export function unexpectedResponse(call: string, { status }: UserServiceAnswer) {
  return appError('UPSTREAM_INVALID', { cause: new Error(`${call}: unexpected response ${status}`) });
}

function fillParams(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** The innermost `data` that contains the field the call reads; else the envelope's `data`, or the body. */
function payloadOf(body: Record<string, unknown>, reads: string | undefined): Record<string, unknown> {
  const data = isObject(body.data) ? body.data : undefined;
  const inner = isObject(data?.data) ? data.data : undefined;
  const places = [inner, data, body].filter((place) => place !== undefined);
  const found = reads === undefined ? undefined : places.find((place) => Object.hasOwn(place, reads));
  return found ?? data ?? body;
}

/** `code` 0 or 200 is success; the HTTP status counts if there is no code, or if the call reads `code`. */
function statusOfEnvelope(body: Record<string, unknown>, reads: string | undefined): number {
  const { code } = body;
  if (code === undefined || code === 0 || code === 200) return 200;
  if (reads === 'code' && typeof code === 'string') return 200;
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : 400;
}

/**
 * The user info of a response: missing fields get the empty value of their type, all others than those of
 * R 8.1 are dropped, and so are tokens. Undefined without a user id.
 */
export function userInfoOf(data: Record<string, unknown>): UserInfo | undefined {
  const user = tolerant(userShape, data, FALLBACK_LANGUAGE);
  return Value.Check(UserInfo, user) ? user : undefined;
}

/** A new session and device token from a sign-in response; undefined if tokens or user are missing. */
export function signedInFrom({ data, date }: UserServiceAnswer, now: number): SignedIn | undefined {
  const user = userInfoOf(data);
  const tokens = tokensFromResponse(data, { date, now });
  if (!user || !tokens) return undefined;
  const { login_method: method, device_token: device } = data;
  const { sub, sid } = tokenClaims(tokens.access_token);
  const fields = {
    ...tokens,
    user,
    sub: validIdentifier(sub) ?? String(user.user_id),
    sid: validIdentifier(sid),
    login_method: Value.Check(LoginMethod, method) ? method : null,
  };
  return { session: newSession(fields, now), deviceToken: typeof device === 'string' ? device : undefined };
}

/** A user or session identifier of a sign-in service; null if it is missing or too long. */
export function validIdentifier(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= IDENTIFIER_LENGTH ? value : null;
}

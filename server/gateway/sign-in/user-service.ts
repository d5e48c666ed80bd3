import type { FastifyRequest } from 'fastify';
import { Value } from 'typebox/value';
import { LoginMethod, UserInfo } from '../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE } from '../../../shared/languages.ts';
import { shapeOf } from '../../../shared/shape.ts';
import { tolerant } from '../../../shared/tolerant.ts';
import { type UserServiceCall, userServiceCalls } from '../../../shared/user-service.ts';
import { appError } from '../../http/errors.ts';
import { withUserToken } from '../session/current.ts';
import { newSession } from '../session/session.ts';
import { ask, headerOf, isObject, jsonObject, type Upstream } from '../upstream.ts';
import { type Redeemed, tokenClaims, tokensOf } from './provider.ts';

/** Longer names of a user or session are not remembered. */
const NAME_LENGTH = 255;

const userShape = shapeOf(UserInfo);

/** An answer of the user service, unwrapped. */
export type UserServiceAnswer = {
  /** The HTTP status, or the envelope's own code where a service answers every status as 200. */
  status: number;
  ok: boolean;
  /** The payload, from wherever the body holds it. */
  data: Record<string, unknown>;
  /** The whole body; empty when it was no JSON object. */
  body: Record<string, unknown>;
  /** The Date header, by which clocks are compared. */
  date: string | undefined;
  /** The Retry-After header of a refusal. */
  retryAfter: string | undefined;
};

type UserServiceInput = {
  bearer?: string;
  query?: Record<string, string>;
  /** Values of the path's `{key}` parameters. */
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  headers?: Record<string, string>;
  /** The field that is read, where the call does not name the same for everybody. */
  reads?: string;
  /** Milliseconds, where less than the user service's own. */
  timeout?: number;
};

export type UserService = ReturnType<typeof createUserService>;

/** The user service's calls (specification section 7), below its base address. */
export function createUserService(upstream: Upstream) {
  return {
    /** @throws AppError UPSTREAM_* when no usable answer came. */
    async call(
      name: keyof typeof userServiceCalls,
      { bearer, query, params = {}, body = {}, headers, timeout, ...input }: UserServiceInput = {},
    ): Promise<UserServiceAnswer> {
      const { method, path, ...call }: UserServiceCall = userServiceCalls[name];
      const reads = input.reads ?? call.reads;
      const search = query ? `?${new URLSearchParams(query)}` : '';
      const answer = await ask(upstream, {
        method,
        path: `/${filled(path, params)}${search}`,
        headers: {
          ...headers,
          accept: 'application/json',
          'cache-control': 'no-cache',
          ...(method === 'POST' && { 'content-type': 'application/json' }),
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        ...(method === 'POST' && { body: JSON.stringify(body) }),
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

/**
 * A call with the access token of who is signed in, which is renewed once when it is refused.
 * @throws AppError UNAUTHENTICATED, SESSION_ENDED, UPSTREAM_*
 */
export async function callAsUser(
  request: FastifyRequest,
  name: keyof typeof userServiceCalls,
  input: UserServiceInput = {},
): Promise<UserServiceAnswer> {
  const { userService } = request.server;
  if (!userService) throw new Error('nobody but a user service answers this');
  return withUserToken(request, async ({ access_token: bearer }) => {
    const answer = await userService.call(name, { ...input, bearer });
    if (answer.status === 401) throw appError('TOKEN_INVALID');
    return answer;
  });
}

/** An answer that is none to this question. */
export function unusable(what: string, { status }: UserServiceAnswer) {
  return appError('UPSTREAM_INVALID', { cause: new Error(`${what} answered ${status}`) });
}

function filled(path: string, params: Record<string, string>): string {
  return path.replace(/\{(\w+)\}/g, (_match, name: string) => encodeURIComponent(params[name] ?? ''));
}

/** The innermost `data` that holds the field the call reads; else the envelope's `data`, or the body itself. */
function payloadOf(body: Record<string, unknown>, reads: string | undefined): Record<string, unknown> {
  const data = isObject(body.data) ? body.data : undefined;
  const inner = isObject(data?.data) ? data.data : undefined;
  const places = [inner, data, body].filter((place) => place !== undefined);
  const found = reads === undefined ? undefined : places.find((place) => Object.hasOwn(place, reads));
  return found ?? data ?? body;
}

/** `code` 0 or 200 is success; without a code, or where a code is what was asked for, the HTTP status stands. */
function statusOfEnvelope(body: Record<string, unknown>, reads: string | undefined): number {
  const { code } = body;
  if (code === undefined || code === 0 || code === 200) return 200;
  if (reads === 'code' && typeof code === 'string') return 200;
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : 400;
}

/**
 * The user info of an answer, field by field: what a service leaves out gets the empty value of its type, and nothing
 * beyond the specification's fields passes, tokens least of all. Undefined without a user id.
 */
export function userInfoOf(data: Record<string, unknown>): UserInfo | undefined {
  const user = tolerant(userShape, data, FALLBACK_LANGUAGE);
  return Value.Check(UserInfo, user) ? user : undefined;
}

/**
 * A new session from the answer to a sign-in, and by what our own identity service knows the device; undefined when the
 * answer lacks tokens or user.
 */
export function redeemed({ data, date }: UserServiceAnswer, now: number): Redeemed | undefined {
  const user = userInfoOf(data);
  const tokens = tokensOf(data, { date, now });
  if (!user || !tokens) return undefined;
  const { login_method: method, device_token: device } = data;
  const { sub, sid } = tokenClaims(tokens.access_token);
  const fields = {
    ...tokens,
    user,
    sub: shortName(sub) ?? String(user.user_id),
    sid: shortName(sid),
    login_method: Value.Check(LoginMethod, method) ? method : null,
  };
  return { session: newSession(fields, now), deviceToken: typeof device === 'string' ? device : undefined };
}

/** How a sign-in service names a user or a session, if it is fit to be remembered. */
export function shortName(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= NAME_LENGTH ? value : null;
}

import type { UserServiceCall } from '../../../shared/user-service.ts';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { ask, headerOf, isObject, jsonObject } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';

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

export type UserServiceInput = {
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

export type UserService = {
  /** @throws AppError UPSTREAM_* when no usable answer came. */
  call(name: keyof typeof userServiceCalls, input?: UserServiceInput): Promise<UserServiceAnswer>;
};

/** The user service's calls (specification section 7), below its base address. */
export function createUserService(upstream: Upstream): UserService {
  return {
    async call(name, { bearer, query, params = {}, body = {}, headers, timeout, ...input } = {}) {
      const call: UserServiceCall = userServiceCalls[name];
      const reads = input.reads ?? call.reads;
      const search = query ? `?${new URLSearchParams(query)}` : '';
      const answer = await ask(upstream, {
        method: call.method,
        path: `/${filled(call.path, params)}${search}`,
        headers: {
          ...headers,
          accept: 'application/json',
          'cache-control': 'no-cache',
          ...(call.method === 'POST' && { 'content-type': 'application/json' }),
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        ...(call.method === 'POST' && { body: JSON.stringify(body) }),
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

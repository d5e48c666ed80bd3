import type { UserServiceCall } from '../../../shared/user-service.ts';
import { userServiceCalls } from '../../../shared/user-service.ts';
import { ask, headerOf, isObject, jsonObject } from '../upstream/ask.ts';
import type { Upstream } from '../upstream/upstream.ts';

/** An answer of the user service, unwrapped. */
export type UserServiceAnswer = {
  /** The HTTP status, or the envelope's own code where a service answers every status as 200. */
  status: number;
  ok: boolean;
  /** The envelope's `data`, or the body itself where there is no envelope. */
  data: Record<string, unknown>;
  /** The Date header, by which clocks are compared. */
  date: string | undefined;
};

export type UserService = {
  /** @throws AppError UPSTREAM_* when no usable answer came. */
  call(
    name: keyof typeof userServiceCalls,
    input?: { bearer?: string; query?: Record<string, string>; headers?: Record<string, string> },
  ): Promise<UserServiceAnswer>;
};

const EMPTY_BODY = '{}';

/** The user service's calls (specification section 7), below its base address. */
export function createUserService(upstream: Upstream): UserService {
  return {
    async call(name, { bearer, query, headers } = {}) {
      const call: UserServiceCall = userServiceCalls[name];
      const search = query ? `?${new URLSearchParams(query)}` : '';
      const answer = await ask(upstream, {
        method: call.method,
        path: `/${call.path}${search}`,
        headers: {
          ...headers,
          accept: 'application/json',
          'cache-control': 'no-cache',
          ...(call.method === 'POST' && { 'content-type': 'application/json' }),
          ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        },
        ...(call.method === 'POST' && { body: EMPTY_BODY }),
      });
      const body = jsonObject(answer.body);
      const status = answer.status === 200 ? statusOfEnvelope(body) : answer.status;
      return {
        status,
        ok: status >= 200 && status < 300,
        data: isObject(body.data) ? body.data : body,
        date: headerOf(answer.headers, 'date'),
      };
    },
  };
}

/** `code` 0 or 200 is success; without a code the HTTP status stands. */
function statusOfEnvelope(body: Record<string, unknown>): number {
  const code = body.code;
  if (code === undefined || code === 0 || code === 200) return 200;
  return typeof code === 'number' && code >= 400 && code <= 599 ? code : 400;
}

import type { FastifyInstance } from 'fastify';
import type { UserServiceCall } from '../../../shared/user-service.ts';
import { type CallRequest, implementCall } from '../calls.ts';
import { type Caller, callerOf } from './caller.ts';

type BearerCall = UserServiceCall & { bearer: 'access' | 'refresh' };

/** Registers a call with a bearer token. */
export function implementBearerCall<C extends BearerCall>(
  app: FastifyInstance,
  call: C,
  handler: (caller: Caller, callRequest: CallRequest<C>) => Promise<unknown>,
): void {
  implementCall(app, call, {
    config: { bearer: call.bearer },
    handler: (callRequest) => handler(callerOf(callRequest.request), callRequest),
  });
}

import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Role } from '../../../../shared/entities/user.ts';
import { appError } from '../../../http/errors.ts';

/** The user of a request, from their access token. */
export type Caller = {
  user_id: number;
  role: Role;
  nick_name: string;
  avatar_url: string;
  /** When the access token was issued; undefined for a publish token. */
  issued_at?: Date;
  /** Set for a publish token, with the plugin that it is restricted to, or null. */
  token?: { plugin_key: string | null };
};

const DECORATOR = 'caller';

export function decorateWithCaller(app: FastifyInstance): void {
  app.decorateRequest(DECORATOR, null);
}

/** Called before the handler. */
export function setCaller(request: FastifyRequest, caller: Caller | null): void {
  request.setDecorator(DECORATOR, caller);
}

/** The caller, or null for a visitor. */
export function visitorOrCaller(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(DECORATOR);
}

/**
 * The caller of a route that requires a session.
 * @throws UNAUTHENTICATED for a visitor
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = visitorOrCaller(request);
  if (!caller) throw unauthenticated();
  return caller;
}

/** 401 with the challenge of RFC 6750 section 3. */
export function unauthenticated() {
  return appError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
}

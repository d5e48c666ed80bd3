import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN } from '../../../../shared/constants.ts';
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

/** Users who may publish (R 1.5). */
export type Publishers = 'admins' | 'members';

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

/** Admin is true for the roles 1 and 2. */
export function isAdmin({ role }: Pick<Caller, 'role'>): boolean {
  return role === ROLE_SUPER_ADMIN || role === ROLE_ADMIN;
}

export function mayPublish(caller: Pick<Caller, 'role'>, publishers: Publishers): boolean {
  return isAdmin(caller) || publishers === 'members';
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

/**
 * Checks the scope of a publish token: one that is restricted to a plugin cannot publish others or new ones. Ownership is
 * checked separately.
 * @param pluginKey null for a new plugin
 * @throws FORBIDDEN
 */
export function checkTokenScope({ token }: Caller, pluginKey: string | null): void {
  if (token && token.plugin_key !== null && token.plugin_key !== pluginKey) throw appError('FORBIDDEN');
}

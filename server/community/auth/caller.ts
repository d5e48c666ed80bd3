import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ROLE_ADMIN, ROLE_SUPER_ADMIN } from '../../../shared/constants.ts';
import type { Role } from '../../../shared/entities/user.ts';
import { appError } from '../../http/errors.ts';

/** Who calls, as their access token says. */
export type Caller = {
  user_id: number;
  role: Role;
  nick_name: string;
  avatar_url: string;
  /** When the access token was issued; not there for a publish token. */
  issued_at?: Date;
  /** There when a publish token speaks for them, with the one plugin it is bound to, if it is. */
  token?: { plugin_key: string | null };
};

/** Who may publish (design section 5, `PUBLISHERS`). */
export type Publishers = 'admins' | 'members';

/** Under this name the guard leaves the caller with the request. */
const DECORATOR = 'caller';

/** Makes room for the caller in every request of an app. */
export function decorateWithCaller(app: FastifyInstance): void {
  app.decorateRequest(DECORATOR, null);
}

/** To be called by the guard, before any handler runs. */
export function setCaller(request: FastifyRequest, caller: Caller | null): void {
  request.setDecorator(DECORATOR, caller);
}

/** The caller, or null for a visitor. */
export function visitorOrCaller(request: FastifyRequest): Caller | null {
  return request.getDecorator<Caller | null>(DECORATOR);
}

/** Admin is true for the roles 1 and 2 (specification section 6). */
export function isAdmin({ role }: Pick<Caller, 'role'>): boolean {
  return role === ROLE_SUPER_ADMIN || role === ROLE_ADMIN;
}

export function mayPublish(caller: Pick<Caller, 'role'>, publishers: Publishers): boolean {
  return isAdmin(caller) || publishers === 'members';
}

/**
 * The caller of a route that only signed-in people reach.
 * @throws UNAUTHENTICATED when there is none.
 */
export function callerOf(request: FastifyRequest): Caller {
  const caller = visitorOrCaller(request);
  if (!caller) throw unauthenticated();
  return caller;
}

/** 401 with the challenge that RFC 6750 section 3 asks for. */
export function unauthenticated() {
  return appError('UNAUTHENTICATED', { headers: { 'www-authenticate': 'Bearer' } });
}

/**
 * Holds what a caller is about to publish against their publish token: one that is bound to a plugin is good for that
 * plugin alone, and makes no new ones. Whose plugin it is, is asked elsewhere, as of every caller.
 * @param pluginKey null for a new plugin
 * @throws FORBIDDEN
 */
export function holdToTokenScope({ token }: Caller, pluginKey: string | null): void {
  if (token && token.plugin_key !== null && token.plugin_key !== pluginKey) throw appError('FORBIDDEN');
}

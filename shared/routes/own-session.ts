import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

const SessionId = Type.String({ format: 'uuid' });

/** A session of the user. */
export const OwnSession = Type.Object({
  sid: SessionId,
  /** Browser and system of the sign-in; empty if unknown. */
  browser: Type.String(),
  system: Type.String(),
  login_method: LoginMethod,
  /** Configured name of the method; null for its default name. */
  login_label: Nullable(Type.String()),
  created_at: Timestamp,
  last_active_at: Timestamp,
  /** The store inside a design tool: it may do only what a tool may. */
  is_in_tool: Type.Optional(Type.Boolean()),
  /** The current session. */
  is_current: Type.Boolean(),
});
export type OwnSession = Static<typeof OwnSession>;

/** A session that has just ended. */
export const EndedSession = Type.Omit(OwnSession, ['is_current']);
export type EndedSession = Static<typeof EndedSession>;

/** Sessions of the user, at our own identity service. */
export const ownSessionRoutes = {
  listOwnSessions: route({
    service: 'identity',
    method: 'GET',
    path: '/user/session/list',
    access: 'user',
    summary: 'The own sessions, the latest 100, last active first',
    data: Type.Object({ session_list: Type.Array(OwnSession) }),
  }),
  endOwnSession: route({
    service: 'identity',
    method: 'POST',
    path: '/user/session/sign_out',
    access: 'user',
    summary: 'End one of the own sessions',
    body: Type.Object({ sid: SessionId }),
    data: Nothing,
  }),
  endOtherSessions: route({
    service: 'identity',
    method: 'POST',
    path: '/user/session/sign_out_others',
    access: 'user',
    summary: 'End all own sessions except the current one',
    data: Type.Object({ ended: Type.Integer() }),
  }),
};

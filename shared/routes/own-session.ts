import { type Static, Type } from 'typebox';
import { Nothing, Nullable, Timestamp } from '../entities/base.ts';
import { LoginMethod } from '../entities/user.ts';
import { route } from '../route.ts';

const SessionId = Type.String({ format: 'uuid' });

/** Where a person is signed in. */
export const OwnSession = Type.Object({
  sid: SessionId,
  /** What they signed in with, in a word each; empty when it is not known. */
  browser: Type.String(),
  system: Type.String(),
  login_method: LoginMethod,
  /** What the deployment calls that method; null: by what it is. */
  login_label: Nullable(Type.String()),
  created_at: Timestamp,
  last_active_at: Timestamp,
  /** The one that asks. */
  is_current: Type.Boolean(),
});
export type OwnSession = Static<typeof OwnSession>;

/** A session that has just ended. */
export const EndedSession = Type.Omit(OwnSession, ['is_current']);
export type EndedSession = Static<typeof EndedSession>;

/** Sessions of the person who asks, at our own identity service. */
export const ownSessionRoutes = {
  listOwnSessions: route({
    service: 'identity',
    method: 'GET',
    path: '/user/session/list',
    access: 'user',
    summary: 'Where one is signed in, the latest 100, last active first',
    data: Type.Object({ session_list: Type.Array(OwnSession) }),
  }),
  endOwnSession: route({
    service: 'identity',
    method: 'POST',
    path: '/user/session/sign_out',
    access: 'user',
    summary: 'End one of one’s own sessions',
    body: Type.Object({ sid: SessionId }),
    data: Nothing,
  }),
  endOtherSessions: route({
    service: 'identity',
    method: 'POST',
    path: '/user/session/sign_out_others',
    access: 'user',
    summary: 'End all of one’s own sessions but the one that asks',
    data: Type.Object({ ended: Type.Integer() }),
  }),
};

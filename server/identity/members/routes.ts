import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Check } from 'typebox/value';
import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { AuditLogEntry } from '../../../shared/entities/backstage.ts';
import { TypedProof } from '../../../shared/entities/sign-in.ts';
import { cappedTotal } from '../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import { memberRoutes } from '../../../shared/routes/member.ts';
import { appError } from '../../http/errors.ts';
import { implement } from '../../http/implement.ts';
import { accountKey } from '../accounts/account.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { type Caller, callerOf } from '../sessions/caller.ts';
import type { SignInContext } from '../sign-in/context.ts';
import { reauthenticate, requiredProof } from '../sign-in/reauthenticate.ts';
import {
  type ChangeContext,
  changeRole,
  createHandedLink,
  removeSecondFactor,
  setDisabled,
  signOutEverywhere,
  toMember,
} from './change.ts';
import { invite } from './invitation.ts';
import {
  countMemberChanges,
  countMembers,
  type MemberChangeRow,
  readMemberChangeRows,
  readMemberRows,
} from './store.ts';

/**
 * All but reads need a new authentication of the caller, and another account than their own.
 * @throws OWN_ACCOUNT, and what `reauthenticate` throws
 */
export async function checkWrite(identity: SignInContext, request: FastifyRequest): Promise<void> {
  const { body, routeOptions } = request;
  if (routeOptions.config.route?.method === 'GET') return;
  const caller = callerOf(request);
  if (!Check(TypedProof, body)) throw appError('REAUTHENTICATION_REQUIRED');
  if ('user_id' in body && body.user_id === caller.user.user_id) throw appError('OWN_ACCOUNT');
  await reauthenticate(identity, caller, { typed: body, request });
}

export function serveMembers(app: FastifyInstance): void {
  const { identity } = app;
  const contextOf = (request: FastifyRequest, userId: number): ChangeContext => ({
    actorId: callerOf(request).user.user_id,
    userId,
    log: request.log,
  });
  implement(app, memberRoutes.listMembers, ({ query, request }) =>
    listMembers(identity, callerOf(request), query),
  );
  implement(app, memberRoutes.listMemberChanges, ({ query }) => listMemberChanges(identity, query));
  implement(app, memberRoutes.changeMemberRole, ({ body, request }) =>
    changeRole(identity, body.role, contextOf(request, body.user_id)),
  );
  implement(app, memberRoutes.disableMember, ({ body, request }) =>
    setDisabled(identity, body.is_disabled, contextOf(request, body.user_id)),
  );
  implement(app, memberRoutes.signOutMember, ({ body, request }) =>
    signOutEverywhere(identity, contextOf(request, body.user_id)),
  );
  implement(app, memberRoutes.removeMemberSecondFactor, ({ body, request }) =>
    removeSecondFactor(identity, contextOf(request, body.user_id)),
  );
  implement(app, memberRoutes.makePasswordLink, ({ body, request }) =>
    createHandedLink(identity, contextOf(request, body.user_id)),
  );
  implement(app, memberRoutes.inviteMember, ({ body, request }) =>
    invite(identity, body, { actorId: callerOf(request).user.user_id, log: request.log }),
  );
}

type Routes = typeof memberRoutes;

/**
 * Accounts by part of their name or e-mail address, newest first.
 * @throws BAD_CURSOR
 */
async function listMembers(
  { db, now, signUp }: SignInContext,
  caller: Caller,
  { keyword, role, cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listMembers']>,
): Promise<DataOf<Routes['listMembers']>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const key = keyword.trim() === '' ? '' : accountKey(keyword);
  const proof = await requiredProof({ db, now }, caller);
  if (key === null) return { ...cappedTotal(0), next_cursor: null, proof, sign_up: signUp, member_list: [] };
  const [found, total] = await Promise.all([
    readMemberRows(db, { key, role, before, limit: limit + 1, at: new Date(now()) }),
    countMembers(db, { key, role }),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor(last.user_id) : null,
    proof,
    sign_up: signUp,
    member_list: rows.map(toMember),
  };
}

/**
 * The audit log of account changes, newest first.
 * @throws BAD_CURSOR
 */
async function listMemberChanges(
  { db }: SignInContext,
  { cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listMemberChanges']>,
): Promise<DataOf<Routes['listMemberChanges']>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const [found, total] = await Promise.all([
    readMemberChangeRows(db, { before, limit: limit + 1 }),
    countMemberChanges(db),
  ]);
  const rows = found.slice(0, limit);
  const last = found.length > limit ? rows.at(-1) : undefined;
  return {
    ...cappedTotal(total),
    next_cursor: last ? encodeCursor(last.id) : null,
    entry_list: rows.map(toEntry),
  };
}

function toEntry({ target_id, created_at, ...entry }: MemberChangeRow): AuditLogEntry {
  return {
    ...entry,
    target_kind: 'member',
    target_id: String(target_id),
    created_at: created_at.toISOString(),
  };
}

import { BACKSTAGE_PAGE_SIZE } from '../../../shared/constants.ts';
import type { TrailEntry } from '../../../shared/entities/backstage.ts';
import { cappedTotal } from '../../../shared/paging.ts';
import type { DataOf, QueryOf } from '../../../shared/route.ts';
import type { Member, memberRoutes } from '../../../shared/routes/member.ts';
import { appError } from '../../http/errors.ts';
import { accountKey } from '../accounts/account-fields.ts';
import { proofWanted } from '../accounts/reauthenticate.ts';
import type { IdentityContext } from '../context.ts';
import type { Caller } from '../sessions/caller.ts';
import {
  countMemberChanges,
  countMembers,
  type MemberChangeRow,
  type MemberRow,
  readMemberChangeRows,
  readMemberRows,
} from './store.ts';

type Routes = typeof memberRoutes;

/**
 * Accounts by a part of their name or e-mail address, newest first.
 * @throws BAD_CURSOR
 */
export async function listMembers(
  { db, now }: IdentityContext,
  caller: Caller,
  { keyword, role, cursor, limit = BACKSTAGE_PAGE_SIZE }: QueryOf<Routes['listMembers']>,
): Promise<DataOf<Routes['listMembers']>> {
  const before = cursor === undefined ? undefined : decodeCursor(cursor);
  const key = keyword.trim() === '' ? '' : accountKey(keyword);
  const proof = await proofWanted({ db, now }, caller);
  if (key === null) return { ...cappedTotal(0), next_cursor: null, proof, member_list: [] };
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
    member_list: rows.map(toMember),
  };
}

/**
 * Who changed what of whom, newest first.
 * @throws BAD_CURSOR
 */
export async function listMemberChanges(
  { db }: IdentityContext,
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

export function toMember({ disabled_at, created_at, last_sign_in_at, ...member }: MemberRow): Member {
  return {
    ...member,
    is_disabled: disabled_at !== null,
    created_at: created_at.toISOString(),
    last_sign_in_at: last_sign_in_at?.toISOString() ?? null,
  };
}

function toEntry({ target_id, created_at, ...entry }: MemberChangeRow): TrailEntry {
  return {
    ...entry,
    target_kind: 'member',
    target_id: String(target_id),
    created_at: created_at.toISOString(),
  };
}

/** The id of a page's last row as an opaque text. */
function encodeCursor(id: number): string {
  return Buffer.from(String(id)).toString('base64url');
}

/** @throws BAD_CURSOR for a text that `encodeCursor` has not written */
function decodeCursor(cursor: string): number {
  const id = Number(/^[1-9]\d{0,14}$/.exec(Buffer.from(cursor, 'base64url').toString())?.[0]);
  if (Number.isNaN(id) || encodeCursor(id) !== cursor) throw appError('BAD_CURSOR');
  return id;
}

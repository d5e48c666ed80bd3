import type { FastifyInstance } from 'fastify';
import { ACCOUNT_CHANGES_AT_ONCE, type AccountChange, accountCalls } from '../../../shared/identity-calls.ts';
import { implementOpenCall } from '../calls.ts';
import type { IdentityDb } from '../schema.ts';
import { type AccountChangeRow, lastChangeId, readAccountChanges, readRoleChanges } from './change-store.ts';

/** The changes of accounts and roles that other services poll. */
export function serveAccountChanges(app: FastifyInstance): void {
  const { db } = app.identity;
  implementOpenCall(app, accountCalls.changes, ({ body }) => listAccountChanges(db, body));
}

/** Accounts that other services must read again, with public names and roles only. */
async function listAccountChanges(
  db: IdentityDb,
  { after, roles_after: rolesAfter }: { after: number; roles_after?: number },
) {
  const last = await lastChangeId(db, 'account_change');
  const rows = await readAccountChanges(db, { after, limit: ACCOUNT_CHANGES_AT_ONCE });
  const changes = { change_list: rows.map(toChange), last: Math.max(last, rows.at(-1)?.id ?? 0) };
  if (rolesAfter === undefined) return changes;
  const lastRole = await lastChangeId(db, 'role_change');
  const roles = await readRoleChanges(db, { after: rolesAfter, limit: ACCOUNT_CHANGES_AT_ONCE });
  const role_list = roles.map(({ changed_at, ...row }) => ({ ...row, changed_at: changed_at.getTime() }));
  return { ...changes, role_list, last_role: Math.max(lastRole, roles.at(-1)?.id ?? 0) };
}

function toChange(row: AccountChangeRow): AccountChange {
  const { id, user_id, nick_name, avatar_url, delete_plugins, deleted_at, changed_at } = row;
  return {
    id,
    user_id,
    shown: deleted_at === null ? { nick_name, avatar_url } : null,
    plugins: delete_plugins ?? 'keep',
    changed_at: changed_at.getTime(),
  };
}

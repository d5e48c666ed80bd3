import { type Insertable, sql } from 'kysely';
import { TOTAL_EXACT_UP_TO } from '../../../shared/constants.ts';
import type { PublicUser } from '../../../shared/entities/user.ts';
import { TOOL_GRANTS, TOOL_SCOPES } from '../../../shared/tool-metadata.ts';
import type { ChangeDetail } from '../column-types.ts';
import type { IdentityDb, IdentityTables } from '../schema.ts';
import type { OauthClient } from './clients.ts';

const COLUMNS = [
  'client_id',
  'client_name',
  'client_uri',
  'redirect_uris',
  'grant_types',
  'scope_list',
] as const;

type Row = { client_id: string; client_name: string; client_uri: string | null; redirect_uris: string[] } & {
  grant_types: string[];
  scope_list: string[];
};
export type Tool = OauthClient & Required<Pick<OauthClient, 'grant_types'>>;

function toTool({ client_uri, grant_types, scope_list, ...row }: Row): Tool {
  return {
    ...row,
    ...(client_uri !== null && { client_uri }),
    grant_types: TOOL_GRANTS.filter((grant) => grant_types.includes(grant)),
    scope_list: TOOL_SCOPES.filter((scope) => scope_list.includes(scope)),
  };
}

function toRow({ client_uri, grant_types, redirect_uris, scope_list, client_id, client_name }: Tool): Row {
  const lists = {
    grant_types: [...grant_types],
    redirect_uris: [...redirect_uris],
    scope_list: [...scope_list],
  };
  return { client_id, client_name, client_uri: client_uri ?? null, ...lists };
}

/** A tool that administrators have registered. */
export async function findTool(db: IdentityDb, clientId: string): Promise<Tool | undefined> {
  const row = await db
    .selectFrom('tool')
    .select(COLUMNS)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row && toTool(row);
}

/** The same, locked until the end of the transaction. */
export async function lockTool(
  db: IdentityDb,
  clientId: string,
  mode: 'share' | 'update',
): Promise<Tool | undefined> {
  const row = await db
    .selectFrom('tool')
    .select(COLUMNS)
    .where('client_id', '=', clientId)
    .$if(mode === 'share', (query) => query.forKeyShare())
    .$if(mode === 'update', (query) => query.forUpdate())
    .executeTakeFirst();
  return row && toTool(row);
}

/** All of them, by their names. */
export async function readTools(db: IdentityDb): Promise<Tool[]> {
  const rows = await db
    .selectFrom('tool')
    .select(COLUMNS)
    .orderBy('client_name')
    .orderBy('client_id')
    .execute();
  return rows.map(toTool);
}

export async function countTools(db: IdentityDb): Promise<number> {
  const row = await db
    .selectFrom('tool')
    .select((select) => select.fn.countAll<number>().as('count'))
    .executeTakeFirst();
  return row?.count ?? 0;
}

/** @returns false if there is one with its id */
export async function insertTool(db: IdentityDb, tool: Tool, at: Date): Promise<boolean> {
  const result = await db
    .insertInto('tool')
    .values({ ...toRow(tool), created_at: at, changed_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateTool(db: IdentityDb, tool: Tool, at: Date): Promise<void> {
  const { client_id, ...row } = toRow(tool);
  await db
    .updateTable('tool')
    .set({ ...row, changed_at: at })
    .where('client_id', '=', client_id)
    .execute();
}

/** Deletes a tool with the sessions of everybody. */
export async function deleteTool(db: IdentityDb, clientId: string): Promise<void> {
  await db.deleteFrom('tool').where('client_id', '=', clientId).execute();
  await db.deleteFrom('session').where('client_id', '=', clientId).execute();
}

type Use = { client_id: string; people: number; last_active_at: Date | null };

/** How many people are connected with tools, and when each was last used. */
export async function readUse(
  db: IdentityDb,
  clientIds: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, Use>> {
  const { rows } = await sql<Use>`
    select client_id, max(last_active_at) as last_active_at,
        count(distinct user_id) filter (where revoked_at is null and expires_at > ${at}) as people
      from session where client_id = any(${[...clientIds]}) group by client_id`.execute(db);
  return new Map(rows.map((use) => [use.client_id, use]));
}

type Change = Omit<Insertable<IdentityTables['tool_change']>, 'detail'> & { detail: ChangeDetail };

export async function insertToolChange(db: IdentityDb, { detail, ...change }: Change): Promise<void> {
  await db
    .insertInto('tool_change')
    .values({ ...change, detail: JSON.stringify(detail) })
    .execute();
}

export type ToolChangeRow = {
  id: number;
  actor: PublicUser;
  action: string;
  target_id: string;
  target_name: string;
  detail: ChangeDetail;
  created_at: Date;
};

/** Newest first; `before` is the id of the previous page's last row. */
export async function readToolChangeRows(
  db: IdentityDb,
  { before, limit }: { before: number | undefined; limit: number },
): Promise<ToolChangeRow[]> {
  const { rows } = await sql<ToolChangeRow>`
    select c.id, c.action, c.detail, c.created_at, c.client_id as target_id, c.client_name as target_name,
        jsonb_build_object('user_id', actor.user_id, 'nick_name', actor.nick_name,
          'avatar_url', actor.avatar_url) as actor
      from tool_change c
      join account actor on actor.user_id = c.actor_id
      ${before === undefined ? sql`` : sql`where c.id < ${before}`}
      order by c.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Counts up to one more than the exact limit. */
export async function countToolChanges(db: IdentityDb): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select from tool_change limit ${TOTAL_EXACT_UP_TO + 1}
    ) counted`.execute(db);
  return rows[0]?.count ?? 0;
}

/** Sessions of tools that have ended since a time, oldest first. */
export function readEndedSessions(
  db: IdentityDb,
  since: Date,
  limit: number,
): Promise<{ sid: string; revoked_at: Date | null }[]> {
  return db
    .selectFrom('session')
    .select(['sid', 'revoked_at'])
    .where('client_id', 'is not', null)
    .where('revoked_at', '>=', since)
    .orderBy('revoked_at')
    .limit(limit)
    .execute();
}

/** Tools that were removed since a time, with the last time of each. */
export async function readRemovedTools(
  db: IdentityDb,
  since: Date,
): Promise<{ client_id: string; removed_at: Date }[]> {
  return db
    .selectFrom('tool_change')
    .select(['client_id', (select) => select.fn.max('created_at').as('removed_at')])
    .where('action', '=', sql.lit('tool.remove'))
    .where('created_at', '>=', since)
    .groupBy('client_id')
    .execute();
}

import { sql } from 'kysely';
import type { Role } from '../../../../shared/entities/user.ts';
import type { Db } from '../../schema.ts';

/** A valid token with the last known state of its owner, whose rights are not checked yet. */
type LiveToken = {
  id: number;
  plugin_key: string | null;
  last_used_at: Date | null;
  user_id: number;
  nick_name: string;
  avatar_url: string;
  role: Role;
  seen_at: Date;
  owner_grant: string | null;
};

/** Finds a token by its hash. A token that is restricted to a deleted plugin is invalid. */
export async function findLiveToken(db: Db, hash: Buffer, at: Date): Promise<LiveToken | undefined> {
  const { rows } = await sql<LiveToken>`
    select t.id, t.last_used_at, p.plugin_key, owner.user_id, owner.nick_name, owner.avatar_url, owner.role,
        owner.seen_at, t.owner_grant
      from publish_token t
      join person owner on owner.user_id = t.user_id
      left join plugin p on p.id = t.plugin_id
      where t.secret_hash = ${hash} and t.revoked_at is null and t.expires_at > ${at}
        and p.deleted_at is null`.execute(db);
  return rows[0];
}

/** Updates the last use of a token, unless it was updated after `before`. */
export async function updateTokenUse(db: Db, id: number, at: Date, before: Date): Promise<void> {
  await db
    .updateTable('publish_token')
    .set({ last_used_at: at })
    .where('id', '=', id)
    .where((where) => where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]))
    .execute();
}

/** Ends tokens whose owners may no longer publish. */
export async function endTokens(db: Db, ids: readonly number[], at: Date): Promise<void> {
  await db
    .updateTable('publish_token')
    .set({ revoked_at: at })
    .where('id', 'in', ids)
    .where('revoked_at', 'is', null)
    .execute();
}

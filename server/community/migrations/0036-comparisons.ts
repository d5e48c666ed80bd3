import { type Kysely, sql } from 'kysely';

/** Pictures that are shown as *before* and *after*, and the history of a listing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_media add column is_before boolean not null default false,
      add check (not is_before or picture_key is not null and position > 1);
    comment on column plugin_media.is_before is 'What the picture of the position before it looked like before.';
    -- What was approved of a plugin, latest first.
    create index submission_approved on submission (plugin_id, decided_at desc, id desc)
      where audit_status = 2 and decided_at is not null;
    -- Approvals of a plugin that were taken back, of which there are few.
    create index transparency_log_revoked on transparency_log (plugin_key, at desc, sequence desc)
      where kind = 'revoke'`.execute(db);
}

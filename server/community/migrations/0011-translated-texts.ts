import { type Kysely, sql } from 'kysely';

/** Names in the audit log by language. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`set constraints all immediate`.execute(db);
  await sql`alter table audit_trail add column target_names jsonb`.execute(db);
  await sql`
    comment on column audit_trail.target_names is
      'The name by language; null for what has one name only, and for entries of earlier releases.'`.execute(
    db,
  );
}

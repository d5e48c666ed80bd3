import { type Kysely, sql } from 'kysely';

/** Which tool a session is of, and what it may do. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      add column client_id text,
      add column scope_list text[];
    comment on column session.client_id is 'The tool that has it; null for a browser.';
    comment on column session.scope_list is 'What the tool may do; null for a browser.';
    -- A tool is counted and ended with all its sessions.
    create index session_of_tool on session (client_id) where client_id is not null`.execute(db);
}

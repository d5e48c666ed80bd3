import { type Kysely, sql } from 'kysely';

/** Which tool a session is of, what it may do, and the codes that users type for a device. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table session
      add column client_id text,
      add column scope_list text[];
    comment on column session.client_id is 'The tool that has it; null for a browser.';
    comment on column session.scope_list is 'What the tool may do; null for a browser.';
    -- A tool is counted and ended with all its sessions.
    create index session_of_tool on session (client_id) where client_id is not null;
    alter table oauth_state
      add column user_code_hash bytea,
      add column polled_at timestamptz,
      add column poll_seconds integer;
    comment on column oauth_state.user_code_hash is 'Of the code that a user types for a device; null once it is answered.';
    comment on column oauth_state.polled_at is 'Last time that the device asked for the answer.';
    comment on column oauth_state.poll_seconds is 'Seconds that the device must wait before it asks again.';
    create unique index oauth_state_of_user_code on oauth_state (user_code_hash) where user_code_hash is not null`.execute(
    db,
  );
}

import { type Kysely, sql } from 'kysely';

/** Tools that administrators register, what they changed about them, and which sessions of tools have ended. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table tool (
      client_id text primary key,
      client_name text not null,
      client_uri text,
      redirect_uris text[] not null,
      grant_types text[] not null,
      scope_list text[] not null,
      created_at timestamptz not null,
      changed_at timestamptz not null
    );
    comment on table tool is 'Tools that administrators have registered, with the names of RFC 7591. Others are in OAUTH_CLIENTS.';
    create table tool_change (
      id bigint generated always as identity primary key,
      actor_id bigint not null references account on delete cascade,
      client_id text not null,
      client_name text not null,
      action text not null,
      detail jsonb not null check (jsonb_typeof(detail) = 'object'),
      created_at timestamptz not null
    );
    comment on table tool_change is 'What administrators changed about tools. Rows are only added.';
    comment on column tool_change.client_name is 'At that time.';
    -- Deleting an account deletes its rows.
    create index tool_change_by_actor on tool_change (actor_id);
    -- Access tokens of removed tools are refused.
    create index tool_removed on tool_change (created_at) where action = 'tool.remove';
    -- So are those of ended sessions.
    create index session_of_tool_ended on session (revoked_at) where client_id is not null and revoked_at is not null`.execute(
    db,
  );
}

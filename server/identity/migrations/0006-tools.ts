import { type Kysely, sql } from 'kysely';

/** What the authorization server for tools remembers. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table oauth_state (
      model text not null,
      id_hash bytea not null,
      sealed text not null,
      grant_id uuid,
      consumed_at timestamptz,
      expires_at timestamptz not null,
      primary key (model, id_hash)
    );
    comment on table oauth_state is 'Codes, refresh tokens, grants and requests in progress of tools that act for a user.';
    comment on column oauth_state.model is 'Kind of the row, as oidc-provider calls it.';
    comment on column oauth_state.id_hash is 'Ids are tokens, so only their hashes are stored.';
    comment on column oauth_state.sealed is 'The rest, encrypted JSON.';
    comment on column oauth_state.grant_id is 'The session that the tool has.';
    comment on column oauth_state.consumed_at is 'First use of a code or a refresh token, which works once.';
    -- A grant ends with all that was issued for it.
    create index oauth_state_of_grant on oauth_state (grant_id) where grant_id is not null;
    -- Old rows are deleted by age.
    create index oauth_state_by_age on oauth_state (expires_at)`.execute(db);
}

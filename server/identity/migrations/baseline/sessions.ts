import { sql } from 'kysely';

/** Sessions, their tokens, and the keys that sign them. Secrets that a client has are stored as hashes. */
export const sessions = sql`
  create table session (
    sid uuid primary key,
    user_id bigint not null references account on delete cascade,
    login_method text not null,
    source text,
    browser text not null default '',
    system text not null default '',
    created_at timestamptz not null,
    authenticated_at timestamptz,
    last_active_at timestamptz not null,
    expires_at timestamptz not null,
    revoked_at timestamptz
  );
  comment on column session.source is 'Id of the provider.';
  comment on column session.browser is 'Browser of the sign-in; empty when unknown.';
  comment on column session.system is 'Operating system of the sign-in; empty when unknown.';
  comment on column session.authenticated_at is 'When the user authenticated.';
  -- The sessions of a user.
  create index session_of_account on session (user_id);
  -- Expired rows are deleted.
  create index session_expiry on session (expires_at);

  create table refresh_token (
    token_hash bytea primary key,
    sid uuid not null references session on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    replaced_at timestamptz,
    misused_at timestamptz
  );
  comment on column refresh_token.replaced_at is 'When it was exchanged for the next one.';
  comment on column refresh_token.misused_at is 'First use after it was invalidated.';
  -- Ending a session ends its tokens.
  create index refresh_token_of_session on refresh_token (sid);
  -- Expired rows are deleted.
  create index refresh_token_expiry on refresh_token (expires_at);

  create table authorization_code (
    code_hash bytea primary key,
    user_id bigint not null references account on delete cascade,
    login_method text not null,
    source text,
    redirect_uri text,
    code_challenge text,
    created_at timestamptz not null,
    authenticated_at timestamptz,
    expires_at timestamptz not null,
    used_at timestamptz,
    sid uuid references session on delete set null
  );
  comment on table authorization_code is 'One-time codes, which are exchanged for sessions.';
  comment on column authorization_code.source is 'Id of the provider.';
  comment on column authorization_code.redirect_uri is 'Null for a code that a signed-in user requested.';
  comment on column authorization_code.code_challenge is 'Binds it to a verifier (RFC 7636); null for an unbound code.';
  comment on column authorization_code.authenticated_at is
    'When the user authenticated; earlier than created_at for a code of a session.';
  comment on column authorization_code.sid is 'The session that it was exchanged for.';
  -- Deleting an account deletes its codes; deleting a session keeps them without it.
  create index authorization_code_of_account on authorization_code (user_id);
  create index authorization_code_of_session on authorization_code (sid);
  -- Expired rows are deleted.
  create index authorization_code_expiry on authorization_code (expires_at);

  create table signing_key (
    kid text primary key,
    sealed_jwk text not null,
    public_jwk jsonb not null,
    created_at timestamptz not null,
    signs_from timestamptz not null,
    retired_at timestamptz
  );
  comment on table signing_key is 'Keys that sign access tokens.';
  comment on column signing_key.sealed_jwk is 'The private key, encrypted.';
  comment on column signing_key.signs_from is 'The key is published earlier, so that all caches have it by then.';
`;

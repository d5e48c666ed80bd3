import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Accounts, sessions, codes, keys and the attempts that the rate limits count. */
export const accountsAndTokens: Migration = {
  async up(db) {
    await sql`
      create table account (
        user_id bigint generated always as identity primary key,
        user_name text not null,
        user_name_key text not null unique check (user_name_key !~ '@'),
        email text not null,
        email_key text unique,
        nick_name text not null,
        password_hash text,
        role smallint not null default 0 check (role in (0, 1, 2)),
        mobile text not null default '',
        sex smallint not null default 0,
        birthday text not null default '',
        channel text not null default 'official',
        tencent_docs boolean not null default false,
        avatar_url text not null default '',
        identification text not null default '',
        e_id bigint,
        created_at timestamptz not null,
        disabled_at timestamptz
      )`.execute(db);
    await sql`create index account_super_admin on account (user_id) where role = 1`.execute(db);
    await sql`
      create table enterprise_member (
        user_id bigint not null references account on delete cascade,
        e_id bigint not null check (e_id > 0),
        department text not null default '',
        is_owner boolean not null default false,
        is_administrator boolean not null default false,
        staff_status smallint not null default 0,
        primary key (user_id, e_id)
      )`.execute(db);
    await sql`
      create table session (
        sid uuid primary key,
        user_id bigint not null references account on delete cascade,
        login_method text not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        revoked_at timestamptz
      )`.execute(db);
    await sql`create index session_of_account on session (user_id)`.execute(db);
    await sql`create index session_expiry on session (expires_at)`.execute(db);
    await sql`
      create table refresh_token (
        token_hash bytea primary key,
        sid uuid not null references session on delete cascade,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz
      )`.execute(db);
    await sql`create index refresh_token_of_session on refresh_token (sid)`.execute(db);
    await sql`create index refresh_token_expiry on refresh_token (expires_at)`.execute(db);
    await sql`
      create table authorization_code (
        code_hash bytea primary key,
        user_id bigint not null references account on delete cascade,
        login_method text not null,
        redirect_uri text,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        used_at timestamptz,
        sid uuid references session on delete set null
      )`.execute(db);
    await sql`create index authorization_code_expiry on authorization_code (expires_at)`.execute(db);
    await sql`create index authorization_code_of_account on authorization_code (user_id)`.execute(db);
    await sql`create index authorization_code_of_session on authorization_code (sid)`.execute(db);
    await sql`
      create table signing_key (
        kid text primary key,
        private_jwk jsonb not null,
        public_jwk jsonb not null,
        created_at timestamptz not null,
        retired_at timestamptz
      )`.execute(db);
    await sql`
      create table attempt (
        subject bytea primary key,
        attempts integer not null,
        last_at timestamptz not null,
        blocked_until timestamptz not null
      )`.execute(db);
    await sql`create index attempt_age on attempt (last_at)`.execute(db);
  },
};

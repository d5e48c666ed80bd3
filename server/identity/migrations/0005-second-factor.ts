import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Second factors, and sign-ins that wait for one. */
export const secondFactor: Migration = {
  async up(db) {
    await sql`
      create table second_factor (
        user_id bigint primary key references account on delete cascade,
        sealed_secret text not null,
        -- The latest step of time whose code was used: no code of it or of before counts any more.
        last_step bigint not null,
        created_at timestamptz not null
      )`.execute(db);
    // A secret that its user has seen but not confirmed yet.
    await sql`
      create table second_factor_setup (
        user_id bigint primary key references account on delete cascade,
        sealed_secret text not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index second_factor_setup_expiry on second_factor_setup (expires_at)`.execute(db);
    await sql`
      create table recovery_code (
        user_id bigint not null references second_factor on delete cascade,
        code_hash bytea not null,
        used_at timestamptz,
        primary key (user_id, code_hash)
      )`.execute(db);
    await sql`
      create table sign_in_challenge (
        token_hash bytea primary key,
        user_id bigint not null references account on delete cascade,
        kind text not null check (kind in ('code', 'enrol', 'passed')),
        login_method text not null,
        source text not null,
        redirect_uri text not null,
        response_type text,
        sealed_secret text,
        wrong_codes smallint not null default 0,
        created_at timestamptz not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index sign_in_challenge_expiry on sign_in_challenge (expires_at)`.execute(db);
    await sql`create index sign_in_challenge_of_account on sign_in_challenge (user_id)`.execute(db);
  },
};

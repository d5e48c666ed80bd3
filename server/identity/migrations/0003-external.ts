import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Sign-ins through other directories, and their pending state. */
export const external: Migration = {
  async up(db) {
    await sql`
      create table external_identity (
        source text not null,
        subject text not null,
        user_id bigint not null references account on delete cascade,
        created_at timestamptz not null,
        last_sign_in_at timestamptz not null,
        primary key (source, subject)
      )`.execute(db);
    await sql`create index external_identity_of_account on external_identity (user_id)`.execute(db);
    // Id of the provider; null for older rows.
    await sql`alter table authorization_code add column source text`.execute(db);
    await sql`alter table session add column source text`.execute(db);
    await sql`
      create table sso_login (
        state_hash bytea primary key,
        source text not null,
        secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
        parameters jsonb not null check (jsonb_typeof(parameters) = 'object'),
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index sso_login_expiry on sso_login (expires_at)`.execute(db);
    // One-time assertions and tokens of other directories.
    await sql`
      create table used_proof (
        source text not null,
        proof_hash bytea not null,
        expires_at timestamptz not null,
        primary key (source, proof_hash)
      )`.execute(db);
    await sql`create index used_proof_expiry on used_proof (expires_at)`.execute(db);
    // External sign-ins that are not linked yet to the account with their e-mail address.
    await sql`
      create table pending_bind (
        id_hash bytea primary key,
        source text not null,
        subject text not null,
        user_id bigint not null references account on delete cascade,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index pending_bind_expiry on pending_bind (expires_at)`.execute(db);
    await sql`create index pending_bind_of_account on pending_bind (user_id)`.execute(db);
  },
};

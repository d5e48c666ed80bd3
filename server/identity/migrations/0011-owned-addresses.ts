import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/**
 * Verified e-mail addresses, and networks of sign-ins. Existing addresses are unverified, because they were only typed.
 */
export const ownedAddresses: Migration = {
  async up(db) {
    await sql`
      alter table account drop constraint account_email_key_key,
        add column email_verified_at timestamptz,
        -- Devices that signed in until then are strangers again.
        add column devices_since timestamptz`.execute(db);
    await sql`create index account_by_address on account (email_key)`.execute(db);
    await sql`
      create unique index account_owning_address on account (email_key)
        where email_verified_at is not null`.execute(db);
    // An address for signing in with a password must be unique.
    await sql`
      create unique index account_signing_in_by_address on account (email_key)
        where password_hash is not null`.execute(db);
    // When the user authenticated; null for older rows.
    await sql`alter table session add column authenticated_at timestamptz`.execute(db);
    await sql`alter table authorization_code add column authenticated_at timestamptz`.execute(db);
    await sql`
      create table sign_up_link (
        token_hash bytea primary key,
        email text not null,
        email_key text not null,
        channel text,
        tencent_docs boolean not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index sign_up_link_of_address on sign_up_link (email_key)`.execute(db);
    await sql`create index sign_up_link_expiry on sign_up_link (expires_at)`.execute(db);
    await sql`
      create table address_link (
        token_hash bytea primary key,
        user_id bigint not null references account on delete cascade,
        email_key text not null,
        expires_at timestamptz not null
      )`.execute(db);
    await sql`create index address_link_of_account on address_link (user_id)`.execute(db);
    await sql`create index address_link_expiry on address_link (expires_at)`.execute(db);
    await sql`create table known_network (subject bytea primary key, last_at timestamptz not null)`.execute(
      db,
    );
    await sql`create index known_network_age on known_network (last_at)`.execute(db);
  },
};

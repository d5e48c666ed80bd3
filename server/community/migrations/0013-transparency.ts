import { type Kysely, sql } from 'kysely';

/** Signatures of approved versions, the keys that make them, and the log of approvals and withdrawals. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table plugin_version add column signature text;
    comment on column plugin_version.signature is
      'JWS of its approval; null while it is not approved, or was not signed yet.';
    -- Approved packages without a signature, of which there are none for long.
    create index plugin_version_unsigned on plugin_version (id)
      where audit_status = 2 and signature is null and package_key is not null;

    create table approval_key (
      kid text primary key,
      sealed_jwk text,
      public_jwk jsonb not null check (jsonb_typeof(public_jwk) = 'object'),
      created_at timestamptz(3) not null default now(),
      retired_at timestamptz(3)
    );
    comment on table approval_key is 'Keys that sign approvals and the head of the log. None is ever deleted.';
    comment on column approval_key.kid is 'Thumbprint of the public key (RFC 7638).';
    comment on column approval_key.sealed_jwk is 'The encrypted private key; null for one of the settings.';
    comment on column approval_key.retired_at is 'Since then it signs no more.';

    create table transparency_log (
      sequence bigint primary key check (sequence > 0),
      at timestamptz(3) not null,
      kind text not null check (kind in ('approve', 'revoke', 'withdraw', 'restore')),
      plugin_key text not null,
      version text,
      digest text,
      previous_hash text not null,
      hash text not null
    );
    comment on table transparency_log is
      'What was approved and withdrawn, in one chain of hashes. Rows are only added, and outlive their plugins.';
    comment on column transparency_log.sequence is 'From 1 without gaps.';
    comment on column transparency_log.version is 'Null for the whole plugin.';
    comment on column transparency_log.digest is 'SHA-256 of the package; null without one.'`.execute(db);
}

import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';

/** Signing keys are stored encrypted and published before they sign. Existing ones are encrypted at the next start. */
export const sealedKeys: Migration = {
  async up(db) {
    await sql`
      alter table signing_key alter column private_jwk drop not null,
        add column sealed_jwk text,
        add column signs_from timestamptz,
        add constraint signing_key_kept_once check (num_nonnulls(private_jwk, sealed_jwk) = 1)`.execute(db);
    await sql`update signing_key set signs_from = created_at`.execute(db);
    await sql`alter table signing_key alter column signs_from set not null`.execute(db);
  },
};

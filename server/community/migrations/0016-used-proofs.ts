import { type Kysely, sql } from 'kysely';

/** Which proofs of possession tools have used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table used_proof (
      proof_hash bytea primary key,
      expires_at timestamptz not null
    );
    comment on table used_proof is 'Proofs of possession that tools have used, for all instances: each works once.';
    comment on column used_proof.proof_hash is 'Key and id of the proof, hashed.';
    comment on column used_proof.expires_at is 'From then on the proof is too old to be accepted.';
    -- Old rows are deleted by age.
    create index used_proof_by_age on used_proof (expires_at)`.execute(db);
}

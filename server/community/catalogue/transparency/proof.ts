import { type RawBuilder, sql } from 'kysely';

/** What a version is verified by: its package as users download it, and the signature of its approval. */
export type Proof = { digest: string | null; size: number | null; signature: string | null };

export const NO_PROOF: Proof = { digest: null, size: null, signature: null };

/** SQL for it, as an object, of a version `v`. */
export const PROOF: RawBuilder<Proof> = sql<Proof>`(
  select jsonb_build_object('digest', p.release_key, 'size', p.release_bytes, 'signature', v.signature)
    from (select) one left join stored_file p on p.file_key = v.package_key)`;

import { type RawBuilder, sql } from 'kysely';

/** What a version is verified by. */
export type Proof = { digest: string | null; size: number | null; signature: string | null };

export const NO_PROOF: Proof = { digest: null, size: null, signature: null };

/** SQL for it, as an object, of a version `v`. */
export const PROOF: RawBuilder<Proof> = sql<Proof>`jsonb_build_object('digest', v.package_key,
  'size', case when v.package_key is not null then v.package_bytes end, 'signature', v.signature)`;

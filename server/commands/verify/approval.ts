import type { JSONWebKeySet } from 'jose';
import { Type } from 'typebox';
import { Nullable } from '../../../shared/entities/base.ts';
import { APPROVAL_TYPE } from '../../../shared/signed.ts';
import { checkSignature } from './signature.ts';

const approvalSchema = Type.Object({
  sub: Type.String(),
  version: Type.String(),
  digest: Type.String(),
  size: Type.Integer(),
  host_range: Nullable(Type.String()),
});

/** A version as users get it. */
export type Delivered = {
  pluginKey: string;
  version: string;
  /** SHA-256 of the package in hexadecimal, and its bytes. */
  digest: string;
  size: number;
  /** Where it is known. */
  hostRange?: string | null;
  signature: string | null | undefined;
};

/** Checks the signature of a version. @returns what is wrong with it; null if nothing is */
export async function flawOfSignature(
  { pluginKey, version, digest, size, hostRange, signature }: Delivered,
  keys: JSONWebKeySet,
): Promise<string | null> {
  if (!signature) return 'is not signed';
  const checked = await checkSignature(signature, { keys, typ: APPROVAL_TYPE, schema: approvalSchema });
  if ('flaw' in checked) return `has a signature that ${checked.flaw}`;
  const { claims } = checked;
  const isSame =
    claims.sub === pluginKey &&
    claims.version === version &&
    claims.digest === digest &&
    claims.size === size &&
    (hostRange === undefined || claims.host_range === hostRange);
  return isSame ? null : 'has the signature of something else';
}

import { type JWTPayload, SignJWT } from 'jose';
import type { LogHead } from '../../../../shared/entities/transparency.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';
import { APPROVAL_TYPE, type ApprovalClaims, LOG_HEAD_TYPE } from '../../../../shared/signed.ts';
import { SIGNING_ALGORITHM } from '../../../encryption/signing-key.ts';
import type { Db } from '../../schema.ts';
import { type Approved, readApproved, takeUnsigned, writeSignatures } from './approval-store.ts';
import { type ApprovalKeySettings, signingKey } from './keys.ts';
import { appendToLog, type NewLogEntry } from './log-store.ts';

export type Signing = ApprovalKeySettings & {
  /** Address of the site, which vouches for what it signs (setting PUBLIC_URL). */
  issuer: string;
};

type Signed = { typ: string; claims: JWTPayload; at: Date };

async function signWith({ kid, key }: Awaited<ReturnType<typeof signingKey>>, { typ, claims, at }: Signed) {
  return new SignJWT(claims)
    .setProtectedHeader({ alg: SIGNING_ALGORITHM, kid, typ })
    .setIssuedAt(at)
    .sign(key);
}

function claimsOf({ plugin_key, ...approved }: Approved, issuer: string): JWTPayload {
  const { permissions, domains } = rightsOf(approved.manifest, approved.allowed_domains);
  const claims: ApprovalClaims = {
    version: approved.version,
    digest: approved.digest,
    size: approved.size,
    permissions: permissions.toSorted(),
    domains: domains.toSorted(),
    host_range: approved.host_range,
  };
  return { iss: issuer, sub: plugin_key, ...claims };
}

async function signApprovals(
  trx: Db,
  signing: Signing,
  approved: readonly Approved[],
  at: Date,
): Promise<void> {
  const key = await signingKey(trx, signing, at);
  const signatures = await Promise.all(
    approved.map((one) =>
      signWith(key, { typ: APPROVAL_TYPE, claims: claimsOf(one, signing.issuer), at: one.approved_at }),
    ),
  );
  await writeSignatures(
    trx,
    approved.map(({ id }, index) => ({ id, signature: signatures[index] ?? '' })),
  );
}

/**
 * Signs the approval of a version and appends it to the log, as the last change of the transaction that approves it. A version
 * without a package has nothing to sign, and one whose digest is not known yet is signed once it is.
 */
export async function recordApproval(trx: Db, signing: Signing, versionId: number, at: Date): Promise<void> {
  const approved = await readApproved(trx, [versionId]);
  if (approved.length === 0) return;
  await signApprovals(trx, signing, approved, at);
  await appendToLog(trx, approved.map(approvalOf), at);
}

function approvalOf({ plugin_key: pluginKey, version }: Approved): NewLogEntry {
  return { kind: 'approve', pluginKey, version };
}

/** What was withdrawn before the log began; of a whole plugin once in each batch that has versions of it. */
function withdrawalsOf(approved: readonly Approved[]): NewLogEntry[] {
  const plugins = new Set(approved.flatMap((one) => (one.is_plugin_withdrawn ? [one.plugin_key] : [])));
  return [
    ...approved.flatMap(({ plugin_key: pluginKey, version, is_withdrawn }): NewLogEntry[] =>
      is_withdrawn ? [{ kind: 'withdraw', pluginKey, version }] : [],
    ),
    ...[...plugins].map((pluginKey): NewLogEntry => ({ kind: 'withdraw', pluginKey, version: null })),
  ];
}

/** Versions that one transaction signs; others who decide wait for it. */
export const SIGNED_AT_ONCE = 50;

/**
 * Signs approved versions that have no signature: of an earlier release, or imported. Each batch is a transaction, so that it
 * continues where it was interrupted, and several instances may do it at the same time.
 * @returns number of versions; less than SIGNED_AT_ONCE when no others are left
 */
export async function signUnsigned(db: Db, signing: Signing, at: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const approved = await readApproved(trx, await takeUnsigned(trx, SIGNED_AT_ONCE));
    if (approved.length === 0) return 0;
    await signApprovals(trx, signing, approved, at);
    await appendToLog(trx, [...approved.map(approvalOf), ...withdrawalsOf(approved)], at);
    return approved.length;
  });
}

/** A head of the log, signed now. */
export async function signHead(db: Db, signing: Signing, head: LogHead, at: Date): Promise<string> {
  const key = await db.transaction().execute((trx) => signingKey(trx, signing, at));
  return signWith(key, { typ: LOG_HEAD_TYPE, claims: { iss: signing.issuer, ...head }, at });
}

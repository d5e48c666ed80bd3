import { randomBytes } from 'node:crypto';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { PROOF_GRACE_DAYS } from '../../../../shared/constants.ts';
import { contract } from '../../../../shared/contract.ts';
import type { OwnVerification } from '../../../../shared/entities/verification.ts';
import type { DataOf } from '../../../../shared/route.ts';
import type { verificationRoutes as Routes } from '../../../../shared/routes/verification.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { upsertUser } from '../../people/users.ts';
import type { Db } from '../../schema.ts';
import { domainOf } from './domain.ts';
import type { Prove } from './proof.ts';
import { nextCheck, startRechecks, wayOf } from './recheck.ts';
import { deleteDomain, readVerification, settleMark, writeDomain, writeProved } from './store.ts';

const DAY = 86_400_000;

/** When the mark falls off, if the proof is missing since then and stays so. */
export function endOf(failingSince: Date | null): string | null {
  return failingSince && new Date(failingSince.getTime() + PROOF_GRACE_DAYS * DAY).toISOString();
}

/** @throws PUBLISHER_NOT_FOUND for a deleted account */
async function verificationOf(db: Db, { user_id }: Caller): Promise<OwnVerification> {
  const row = await readVerification(db, user_id);
  if (!row) throw appError('PUBLISHER_NOT_FOUND');
  const { verified_as, domain, token, verified_at, way, failing_since, is_verified, reason, decided_at } =
    row;
  return {
    verified: verified_as,
    domain:
      domain === null || token === null
        ? null
        : {
            domain,
            token,
            verified_at: verified_at?.toISOString() ?? null,
            way,
            ends_at: endOf(failing_since),
          },
    decision:
      is_verified === null || reason === null || decided_at === null
        ? null
        : { is_verified, reason, decided_at: decided_at.toISOString() },
  };
}

/** Looks for the proof of the caller's domain. @throws NOT_FOUND without a domain */
async function checkNow(
  { db, prove, now }: { db: Db; prove: Prove; now: () => number },
  caller: Caller,
): Promise<DataOf<(typeof Routes)['checkOwnDomain']>> {
  const row = await readVerification(db, caller.user_id);
  if (!row || row.domain === null || row.token === null) throw appError('NOT_FOUND');
  const { domain, token } = row;
  const proof = await prove(domain, token);
  const way = wayOf(proof);
  if (way !== undefined) {
    const at = new Date(now());
    await db.transaction().execute(async (trx) => {
      await writeProved(trx, { user_id: caller.user_id, token }, { way, at, next: nextCheck(at, true) });
      await settleMark(trx, caller.user_id);
    });
  }
  return { verification: await verificationOf(db, caller), ...proof };
}

/** How publishers prove a domain, and the daily check whether the proof is still there. */
export function verificationRoutes(
  app: FastifyInstance,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): void {
  const { db, clock: now } = app;
  const { prove, anySuffix, rechecksDomains } = app.community;
  implement(app, contract.readOwnVerification, async ({ request }) => {
    const caller = callerOf(request);
    await upsertUser(db, caller);
    return verificationOf(db, caller);
  });
  implement(app, contract.setOwnDomain, async ({ body, request }) => {
    const caller = callerOf(request);
    const named = domainOf(body.domain, { anySuffix });
    const token = randomBytes(16).toString('hex');
    await db.transaction().execute(async (trx) => {
      await upsertUser(trx, caller);
      await writeDomain(trx, caller.user_id, { ...named, token });
      await settleMark(trx, caller.user_id);
    });
    return verificationOf(db, caller);
  });
  implement(app, contract.checkOwnDomain, ({ request }) => checkNow({ db, prove, now }, callerOf(request)));
  implement(app, contract.removeOwnDomain, async ({ request }) => {
    const caller = callerOf(request);
    await db.transaction().execute(async (trx) => {
      await upsertUser(trx, caller);
      await deleteDomain(trx, caller.user_id);
      await settleMark(trx, caller.user_id);
    });
    return verificationOf(db, caller);
  });
  if (rechecksDomains) startRechecks(app, { db, prove, now }, log);
}

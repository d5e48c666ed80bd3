import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import { PROOF_GRACE_DAYS } from '../../../../shared/constants.ts';
import { repeatWhileListening } from '../../../http/repeat.ts';
import { insertNotices } from '../../people/notices/store.ts';
import type { Db } from '../../schema.ts';
import type { Proof, Prove } from './proof.ts';
import {
  type Checked,
  endProof,
  type ProofWay,
  settleMark,
  takeDue,
  writeFailing,
  writeNextCheck,
  writeProved,
  writeUnreachable,
} from './store.ts';

const HOUR = 3_600_000;
/** Milliseconds until a proved domain is checked again, one whose proof is missing, and one whose check was interrupted. */
const AGAIN = { proved: 24 * HOUR, failing: HOUR, interrupted: HOUR / 6 } as const;
const GRACE = PROOF_GRACE_DAYS * 24 * HOUR;
/** Milliseconds without an answer after which a proof counts as missing: servers fail, and so do networks. */
const SILENCE = 24 * HOUR;
/** Domains that are checked at the same time. */
const BATCH = 20;
/** Milliseconds between two looks for domains that are due. */
const PAUSE = 60_000;

type Rechecking = {
  db: Db;
  prove: Prove;
  now: () => number;
  log?: Pick<FastifyBaseLogger, 'warn'> | undefined;
};

/** Where the proof was found. */
export function wayOf({ dns, well_known }: Proof): ProofWay | undefined {
  if (dns.result === 'proved') return 'dns';
  return well_known.result === 'proved' ? 'well_known' : undefined;
}

export function nextCheck(at: Date, isProved: boolean): Date {
  return new Date(at.getTime() + (isProved ? AGAIN.proved : AGAIN.failing));
}

/** Whether nothing has answered, neither a name server nor the host. */
function isSilent({ dns, well_known }: Proof): boolean {
  return dns.result === 'unreachable' && well_known.result === 'unreachable';
}

/**
 * Checks the next domains that are due. No connection to the database is held meanwhile; what an instance was checking when it
 * stopped is due again soon. If nothing answers for any of them, it is our own network that fails: nobody is told, and nothing
 * changes.
 * @returns their number
 */
export async function recheckDomains({ db, prove, now, log }: Rechecking): Promise<number> {
  const at = now();
  const due = await takeDue(db, {
    at: new Date(at),
    lease: new Date(at + AGAIN.interrupted),
    limit: BATCH,
  });
  const found = await Promise.all(
    due.map(async (one) => ({ ...one, proof: await prove(one.domain, one.token) })),
  );
  if (found.length > 0 && found.every(({ proof }) => isSilent(proof))) {
    log?.warn('no domain of a publisher could be reached; the network of this server may be down');
    await writeNextCheck(db, found, nextCheck(new Date(now()), false));
    return due.length;
  }
  await Promise.all(
    found.map(({ proof, way: place, ...checked }) => {
      const way = wayOf(proof);
      return db.transaction().execute((trx) => {
        if (way) return keepProved(trx, checked, way, now);
        const isUnanswered = proof[place].result === 'unreachable';
        return isUnanswered ? keepUnanswered(trx, checked, now) : keepFailing(trx, checked, now);
      });
    }),
  );
  return due.length;
}

async function keepProved(trx: Db, checked: Checked, way: ProofWay, now: () => number): Promise<void> {
  const at = new Date(now());
  await writeProved(trx, checked, { way, at, next: nextCheck(at, true) });
  await settleMark(trx, checked.user_id);
}

/** No answer where the proof was: after a day, or if it was missing before, that is as bad as a missing one. */
async function keepUnanswered(trx: Db, checked: Checked, now: () => number): Promise<void> {
  const at = new Date(now());
  const silent = await writeUnreachable(trx, checked, { at, next: nextCheck(at, false) });
  if (!silent) return;
  const { unreachable_since: since, failing_since } = silent;
  const isLong = at.getTime() - since.getTime() >= SILENCE;
  if (isLong || failing_since !== null) await keepFailing(trx, checked, now);
}

/** Tells the publisher when the mark will fall off; after that time it does. */
async function keepFailing(trx: Db, checked: Checked, now: () => number): Promise<void> {
  const at = new Date(now());
  const userId = checked.user_id;
  const failing = await writeFailing(trx, checked, { at, next: nextCheck(at, false) });
  if (!failing) return;
  const { shown_as: domain, failing_since, is_first } = failing;
  const endsAt = failing_since.getTime() + GRACE;
  if (is_first) {
    const data = { domain, ends_at: new Date(endsAt).toISOString() };
    await insertNotices(trx, [{ userId, kind: 'verification_failing', data }], at);
  } else if (at.getTime() >= endsAt) {
    await endProof(trx, userId);
    await settleMark(trx, userId);
    await insertNotices(trx, [{ userId, kind: 'verification_ended', data: { domain } }], at);
  }
}

/** Checks domains while the app listens. */
export function startRechecks(
  app: FastifyInstance,
  rechecking: Rechecking,
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>,
): void {
  repeatWhileListening(app, {
    every: PAUSE,
    first: PAUSE,
    log,
    failed: 'checking the domains of publishers failed',
    recovered: 'domains of publishers are checked again',
    async run(closing) {
      while (!closing.aborted && (await recheckDomains({ ...rechecking, log })) === BATCH);
    },
  });
}

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { waitForRecovery } from './clients.ts';
import type { Ledger } from './ledger.ts';
import { isFull, record } from './results.ts';

/** Upper limit in milliseconds of the random time of writing before a kill. */
const WRITING_MAX = 300;
/** Rounds for each target: two hundred in all. */
const ROUNDS = isFull ? Number(process.env.FAULT_ROUNDS ?? 40) : 1;

/** Killed repeatedly while users write. */
export type KillTarget = {
  name: string;
  /** What users see and what is logged, for the table of results. */
  seen: string;
  logged: string;
  ledger: Ledger;
  kill(): Promise<void>;
  /** Restarts it, unless something else does, and waits until it is ready. */
  restart(): Promise<void>;
  /** Acknowledged writes that are lost. */
  lost(): Promise<string[]>;
};

/**
 * Kills each target repeatedly during writing and waits until writes are acknowledged again.
 * @returns the number of rounds for each
 */
export async function killRepeatedly(
  t: { strictSame(found: unknown, wanted: unknown, message: string): boolean; comment(text: string): void },
  targets: readonly KillTarget[],
): Promise<number> {
  for (const target of targets) {
    const seconds: number[] = [];
    let lost = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await waitForWrite(target.ledger, performance.now());
      await delay(randomInt(WRITING_MAX));
      await target.kill();
      const started = performance.now();
      await target.restart();
      const { missing, after } = await waitForWritesBack(target, started);
      seconds.push(after);
      lost += missing.length;
      t.strictSame(missing, [], `${target.name} killed, round ${round}`);
    }
    const { name, seen, logged } = target;
    const recovery_seconds = Math.max(...seconds);
    record({ fault: `${name}: kill -9 in the middle of writing`, seen, logged, lost, recovery_seconds });
    const { acknowledged, unanswered } = target.ledger;
    t.comment(
      `${name}: ${acknowledged} writes acknowledged, ${unanswered} not, back after ${recovery_seconds} s at most`,
    );
  }
  return ROUNDS;
}

/** A temporary error while checking: the write may exist. */
const UNAVAILABLE = / 50[234]$/;

/**
 * Waits until writes are acknowledged and can be checked: connections of a killed database may still finish their work.
 * @returns lost writes, and the seconds until recovery
 */
async function waitForWritesBack(
  { ledger, lost }: KillTarget,
  started: number,
): Promise<{ missing: string[]; after: number }> {
  let after = (performance.now() - started) / 1000 + (await waitForWrite(ledger, performance.now()));
  let missing = await lost();
  await waitForRecovery(async () => {
    if (!missing.some((one) => UNAVAILABLE.test(one))) return true;
    const checkedAt = performance.now();
    after = (checkedAt - started) / 1000 + (await waitForWrite(ledger, checkedAt));
    missing = await lost();
    return false;
  });
  return { missing, after };
}

/** Waits for an acknowledged write after `since`; returns the seconds between them. */
async function waitForWrite(ledger: Ledger, since: number): Promise<number> {
  await waitForRecovery(async () => ledger.lastAcknowledgedAt > since);
  return (ledger.lastAcknowledgedAt - since) / 1000;
}

import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Ledger } from './ledger.ts';
import { isFull, record } from './results.ts';
import { healed } from './visitors.ts';

/** Milliseconds of writing, at most, before something is killed in the middle of it. */
const MOMENT = 300;
/** For each thing that is killed: two hundred in all. */
const ROUNDS = isFull ? Number(process.env.FAULT_ROUNDS ?? 40) : 1;

/** What is killed, again and again, while people write. */
export type Victim = {
  name: string;
  /** What people get meanwhile, and the log says, for the table of results. */
  seen: string;
  logged: string;
  ledger: Ledger;
  kill(): Promise<void>;
  /** Starts it again, where nobody else does, and waits until it says that it takes requests. */
  revive(): Promise<void>;
  /** What was acknowledged and is gone. */
  lost(): Promise<string[]>;
};

/**
 * Kills each victim so many times in the middle of writing, and waits until writes are acknowledged again.
 * @returns how often each was killed
 */
export async function killInTurns(
  t: { strictSame(found: unknown, wanted: unknown, message: string): boolean; comment(text: string): void },
  victims: readonly Victim[],
): Promise<number> {
  for (const victim of victims) {
    const seconds: number[] = [];
    let lost = 0;
    for (let round = 1; round <= ROUNDS; round += 1) {
      await writtenAgain(victim.ledger, performance.now());
      await delay(randomInt(MOMENT));
      await victim.kill();
      const started = performance.now();
      await victim.revive();
      const { gone, after } = await backAgain(victim, started);
      seconds.push(after);
      lost += gone.length;
      t.strictSame(gone, [], `${victim.name} killed, round ${round}`);
    }
    const { name, seen, logged } = victim;
    const recovery_seconds = Math.max(...seconds);
    record({ fault: `${name}: kill -9 in the middle of writing`, seen, logged, lost, recovery_seconds });
    const { acknowledged, unanswered } = victim.ledger;
    t.comment(
      `${name}: ${acknowledged} writes acknowledged, ${unanswered} not, back after ${recovery_seconds} s at most`,
    );
  }
  return ROUNDS;
}

/** That somebody cannot be asked at this moment; whatever it is about may well be there. */
const AWAY = / 50[234]$/;

/**
 * Waits until writes are acknowledged and what was written can be looked at: connections of a killed database may still
 * end what they had begun. @returns what is gone, and the seconds it took
 */
async function backAgain(
  { ledger, lost }: Victim,
  started: number,
): Promise<{ gone: string[]; after: number }> {
  let after = (performance.now() - started) / 1000 + (await writtenAgain(ledger, performance.now()));
  let gone = await lost();
  await healed(async () => {
    if (!gone.some((one) => AWAY.test(one))) return true;
    const asked = performance.now();
    after = (asked - started) / 1000 + (await writtenAgain(ledger, asked));
    gone = await lost();
    return false;
  });
  return { gone, after };
}

/** Waits until a write has been acknowledged after `since`; answers the seconds from `since` to then. */
async function writtenAgain(ledger: Ledger, since: number): Promise<number> {
  await healed(async () => ledger.lastAt > since);
  return (ledger.lastAt - since) / 1000;
}

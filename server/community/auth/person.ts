import { rememberPerson } from '../people/store.ts';
import type { Db } from '../schema.ts';
import type { Caller } from './caller.ts';

/** People remembered, so that most calls write nothing; then all are forgotten and written again. */
const REMEMBERED = 10_000;
/** How long, milliseconds, what was written counts as written: another instance may have seen more. */
const REMEMBERED_FOR = 60_000;

/** Writes down what an access token says of somebody. */
export type KeepPerson = (caller: Caller) => Promise<void>;

/**
 * Keeps the rows of those who publish or administrate as their access tokens last described them: the name that others
 * see, and the role by which a publish token of theirs is judged.
 */
export function createPersonKeeper(db: Db, now: () => number): KeepPerson {
  const written = new Map<number, { text: string; at: number }>();
  return async (caller) => {
    const { user_id, nick_name, avatar_url, role } = caller;
    const text = JSON.stringify([nick_name, avatar_url, role]);
    const known = written.get(user_id);
    const time = now();
    if (known?.text === text && Math.abs(time - known.at) < REMEMBERED_FOR) return;
    await rememberPerson(db, caller);
    if (written.size >= REMEMBERED) written.clear();
    written.set(user_id, { text, at: time });
  };
}

import { withLock } from '../../database/advisory-lock.ts';
import type { Db } from '../schema.ts';
import { ALL_KINDS, readRows, SWEEP_LOCK } from './store.ts';

/** Rows per query. */
const PAGE = 200;

/** Runs `work` while no file is removed; waits for a running sweep. */
export function withoutSweep<T>(db: Db, work: () => Promise<T>): Promise<T> {
  return withLock(db, SWEEP_LOCK, work);
}

/** Names of all files that rows refer to. */
export async function* referencedFiles(db: Db): AsyncGenerator<string> {
  for (const kind of ALL_KINDS) {
    for (let after: string | undefined = ''; after !== undefined; ) {
      const rows: { key: string; names: string[] }[] = await readRows(db, kind, { after, limit: PAGE });
      yield* rows.flatMap(({ names }) => names);
      after = rows.at(-1)?.key;
    }
  }
}

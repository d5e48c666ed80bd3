import {
  ALL_KINDS,
  deleteUnused,
  type FileRow,
  type Kind,
  lockUnused,
  readUnused,
  unusedIn,
} from './store.ts';
import type { Sweeping } from './sweep.ts';

/** Rows deleted in one transaction: each asks every table that may name it. */
const AT_A_TIME = 50;

/**
 * Deletes old rows of pictures, videos and packages that nothing names, and then their files.
 * @returns how many rows, or how many there would be
 */
export async function removeUnusedRows(sweeping: Sweeping): Promise<number> {
  let removed = 0;
  for (const kind of ALL_KINDS) {
    for await (const rows of sweeping.dryRun ? unusedRows(sweeping, kind) : deletedRows(sweeping, kind)) {
      removed += rows.length;
      if (sweeping.dryRun) continue;
      for (const name of rows.flatMap(({ names }) => names))
        await sweeping.files.remove(name, sweeping.before);
    }
  }
  return removed;
}

async function* unusedRows({ db, before, signal }: Sweeping, kind: Kind): AsyncGenerator<FileRow[]> {
  const unused = await unusedIn(db, kind);
  for (let after = ''; !signal?.aborted; ) {
    const rows = await readUnused(db, { kind, unused, before, after, limit: AT_A_TIME });
    yield rows;
    const last = rows.at(-1);
    if (!last) return;
    after = last.key;
  }
}

async function* deletedRows({ db, before, signal }: Sweeping, kind: Kind): AsyncGenerator<FileRow[]> {
  const unused = await unusedIn(db, kind);
  for (let after = ''; !signal?.aborted; ) {
    const page = { kind, unused, before, after, limit: AT_A_TIME };
    const { locked, deleted } = await db.transaction().execute(async (trx) => {
      const locked = await lockUnused(trx, page);
      return {
        locked,
        deleted: await deleteUnused(trx, { kind, unused, keys: locked.map(({ key }) => key) }),
      };
    });
    yield locked.filter(({ key }) => deleted.has(key));
    const last = locked.at(-1);
    if (!last) return;
    after = last.key;
  }
}

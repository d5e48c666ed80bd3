import { ALL_KINDS, knownNames, readRows } from './store.ts';
import type { Sweeping } from './sweep.ts';

const AT_A_TIME = 200;

/** Warns of every file that a row stands for and the store does not have. @returns how many there are */
export async function reportMissingFiles({ db, files, log, signal }: Sweeping): Promise<number> {
  let missing = 0;
  for (const kind of ALL_KINDS) {
    for (let after = ''; !signal?.aborted; ) {
      const rows = await readRows(db, kind, after, AT_A_TIME);
      const last = rows.at(-1);
      if (!last) break;
      after = last.key;
      const gone: string[] = [];
      for (const name of rows.flatMap(({ names }) => names)) if (!(await files.has(name))) gone.push(name);
      // A row may have gone meanwhile, and its file with it.
      for (const file of gone.length > 0 ? await knownNames(db, gone) : []) {
        log.warn({ file }, 'a file is missing that the database names');
        missing += 1;
      }
    }
  }
  return missing;
}

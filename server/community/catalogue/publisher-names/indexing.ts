import { parse } from 'tldts';
import { tryWithLock } from '../../../database/advisory-lock.ts';
import type { Db } from '../../schema.ts';
import { isChosen } from '../publishers/handles.ts';
import { lexemesOfText, nameLexeme, readingLexeme } from '../search/lexemes.ts';
import { readingsOf } from '../search/readings.ts';
import { nearKeysOf, skeletonsOf } from './skeletons.ts';
import {
  hasPending,
  type NamedRow,
  readNamed,
  type SearchRow,
  takePending,
  type VerifiedNameRow,
  writeNames,
} from './store.ts';

/** Rows of the queue that one transaction takes, and transactions of one call. */
const BATCH = 200;
const BATCHES_MAX = 20;
/** One instance at a time, so that none writes what another has read before. */
const LOCK = 'names of publishers';

/** Writes the names of who was queued since the last call: people with plugins to find, and verified publishers. */
export async function indexPublishers(db: Db): Promise<void> {
  if (!(await hasPending(db))) return;
  await tryWithLock(db, LOCK, async () => {
    for (let batch = 0; batch < BATCHES_MAX; batch += 1) {
      const taken = await db.transaction().execute(indexBatch);
      if (taken < BATCH) return;
    }
  });
}

async function indexBatch(trx: Db): Promise<number> {
  const { ids, taken } = await takePending(trx, BATCH);
  if (ids.length === 0) return taken;
  const named = await readNamed(trx, ids);
  await writeNames(trx, ids, {
    searched: named.filter(({ is_public }) => is_public).map(searchRowOf),
    verified: named.flatMap(verifiedRowsOf),
  });
  return taken;
}

/** The words by which a publisher is found: of the name, with its readings, and of a handle that they have chosen. */
function searchRowOf({ user_id, nick_name, handle }: NamedRow): SearchRow {
  const names = isChosen(handle) ? [nick_name, handle] : [nick_name];
  const words = names.flatMap((name) => [...lexemesOfText(name), nameLexeme(name)]);
  return { user_id, words: [...words, ...readingsOf(nick_name).map(readingLexeme)] };
}

/** The skeletons of a verified publisher's name, handle and domain, without its suffix; none of others. */
function verifiedRowsOf({ user_id, nick_name, handle, verified_as }: NamedRow): VerifiedNameRow[] {
  if (verified_as === null) return [];
  const domain = parse(verified_as, { allowPrivateDomains: true }).domainWithoutSuffix ?? '';
  const names = [nick_name, domain, isChosen(handle) ? handle : ''];
  const skeletons = new Set(names.flatMap(skeletonsOf));
  return [...skeletons].map((skeleton) => ({ user_id, skeleton, keys: nearKeysOf(skeleton) }));
}

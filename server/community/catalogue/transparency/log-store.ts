import { sql } from 'kysely';
import type { LogEntry, LogHead } from '../../../../shared/entities/transparency.ts';
import type { Db } from '../../schema.ts';
import { EMPTY_LOG, hashOf } from './chain.ts';

/** An entry to append. Its digest is that of the version's package. */
export type NewLogEntry = Pick<LogEntry, 'kind'> & {
  pluginKey: string;
  /** Null for the whole plugin. */
  version: string | null;
};

/**
 * Appends entries to the log, in the transaction of the decision that they tell of. Call it once and as the last change:
 * others who append wait until the transaction ends. Reading waits for nobody.
 */
export async function appendToLog(trx: Db, entries: readonly NewLogEntry[], at: Date): Promise<void> {
  if (entries.length === 0) return;
  await sql`select pg_advisory_xact_lock(hashtextextended('plugin-square transparency log', 0))`.execute(trx);
  // A statement of its own: one that has waited for a lock does not see what was committed meanwhile.
  let head = await readLogHead(trx);
  const digests = await readDigests(trx, entries);
  const chained = entries.map(({ kind, pluginKey, version }, index): LogEntry => {
    const entry = {
      sequence: head.sequence + 1,
      at: at.toISOString(),
      kind,
      plugin_key: pluginKey,
      version,
      digest: digests[index] ?? null,
      previous_hash: head.hash,
    };
    head = { sequence: entry.sequence, hash: hashOf(entry) };
    return { ...entry, hash: head.hash };
  });
  await trx
    .insertInto('transparency_log')
    .values(chained.map((entry) => ({ ...entry, at })))
    .execute();
}

/** Digests of the packages, in the order of the entries. */
async function readDigests(trx: Db, entries: readonly NewLogEntry[]): Promise<(string | null)[]> {
  const keys = entries.map(({ pluginKey }) => pluginKey);
  const versions = entries.map(({ version }) => version);
  const { rows } = await sql<{ digest: string | null }>`
    select f.release_key as digest
      from unnest(${keys}::text[], ${versions}::text[]) with ordinality as e (plugin_key, version, place)
      left join plugin p on p.plugin_key = e.plugin_key
      left join plugin_version v on v.plugin_id = p.id and v.version = e.version
      left join stored_file f on f.file_key = v.package_key
      order by e.place`.execute(trx);
  return rows.map(({ digest }) => digest);
}

export async function readLogHead(db: Db): Promise<LogHead> {
  const { rows } = await sql<LogHead>`
    select sequence, hash from transparency_log order by sequence desc limit 1`.execute(db);
  return rows[0] ?? EMPTY_LOG;
}

/** Reads entries after a sequence number, in their order. */
export async function readLog(
  db: Db,
  { after, limit }: { after: number; limit: number },
): Promise<LogEntry[]> {
  const rows = await db
    .selectFrom('transparency_log')
    .select(['sequence', 'at', 'kind', 'plugin_key', 'version', 'digest', 'previous_hash', 'hash'])
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}

import type { JSONWebKeySet } from 'jose';
import type { CatalogueChange } from '../../../shared/entities/client.ts';
import type { LogEntry } from '../../../shared/entities/transparency.ts';
import { flawOfSignature } from './approval.ts';
import type { Report, WalkedLog } from './log.ts';

type Site = {
  keys: JSONWebKeySet;
  changes: AsyncIterable<CatalogueChange>;
  /** Entries of the log after a position. */
  entriesAfter(sequence: number): AsyncIterable<LogEntry>;
};

/**
 * Checks the version of each listed plugin by its signature and the log. A plugin that was approved, withdrawn or restored
 * since the log was walked has nothing reported of the log.
 * @returns number of versions
 */
export async function checkListed(
  { keys, changes, entriesAfter }: Site,
  log: WalkedLog,
  report: Report,
): Promise<number> {
  let count = 0;
  const objections: { pluginKey: string; problem: string }[] = [];
  for await (const { plugin_key: pluginKey, version, package: found } of changes) {
    if (version === '' || found === null) continue;
    count += 1;
    const { digest, size, signature } = found;
    const flaw = await flawOfSignature({ pluginKey, version, digest, size, signature }, keys);
    if (flaw !== null) report(`${pluginKey} ${version} ${flaw}.`);
    const objection = log.objectionTo(pluginKey, version, digest);
    if (objection !== null) objections.push({ pluginKey, problem: `${pluginKey} ${version} ${objection}.` });
  }
  if (objections.length === 0) return count;
  const changed = new Set<string>();
  for await (const entry of entriesAfter(log.head.sequence)) changed.add(entry.plugin_key);
  for (const { pluginKey, problem } of objections) if (!changed.has(pluginKey)) report(problem);
  return count;
}

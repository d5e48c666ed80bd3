import type { LogEntry, LogHead } from '../../../shared/entities/transparency.ts';
import { EMPTY_LOG, hashOf } from '../../community/catalogue/transparency/chain.ts';

/** Gets a sentence about each thing that is not as it was signed. */
export type Report = (problem: string) => void;

type VersionState = { digest: string | null; isApproved: boolean; isWithdrawn: boolean };

/** What a log says in the end. */
export type WalkedLog = {
  head: LogHead;
  /** Why nobody should use a version; null if nothing says so. */
  objectionTo(pluginKey: string, version: string, digest: string): string | null;
  /** Why nobody should use a package, of whatever version. */
  objectionToPackage(digest: string): string | null;
};

/**
 * Walks a log from its first entry and reports what was changed, removed or reordered.
 * @param heads what the log must hold: its signed end, or one that somebody has kept
 */
export async function walkLog(
  entries: AsyncIterable<LogEntry>,
  { heads, report }: { heads: readonly LogHead[]; report: Report },
): Promise<WalkedLog> {
  let head = EMPTY_LOG;
  const versions = new Map<string, VersionState>();
  const withdrawnPlugins = new Set<string>();
  const ofDigest = new Map<string, Set<string>>();
  const expected = new Map<number, LogHead[]>();
  for (const one of heads) expected.set(one.sequence, [...(expected.get(one.sequence) ?? []), one]);

  for await (const entry of entries) {
    const { sequence, hash } = entry;
    if (hashOf(entry) !== hash) report(`Entry ${sequence} was changed: its hash does not match.`);
    if (sequence <= head.sequence) {
      report(`Entry ${sequence} is not in its place: it comes after entry ${head.sequence}.`);
      continue;
    }
    if (sequence > head.sequence + 1) report(missing(head.sequence + 1, sequence - 1));
    else if (entry.previous_hash !== head.hash)
      report(`Entry ${sequence} does not follow entry ${head.sequence}: one of them was changed.`);
    for (const known of expected.get(sequence) ?? [])
      if (known.hash !== hash) report(`Entry ${sequence} is another one than the signed or kept one.`);
    head = { sequence, hash };
    apply(entry);
  }
  const last = Math.max(0, ...expected.keys());
  if (last > head.sequence) report(missing(head.sequence + 1, last));

  function apply({ kind, plugin_key, version, digest }: LogEntry): void {
    if (version === null) {
      if (kind === 'withdraw') withdrawnPlugins.add(plugin_key);
      if (kind === 'restore') withdrawnPlugins.delete(plugin_key);
      return;
    }
    const name = nameOf(plugin_key, version);
    const before = versions.get(name) ?? { digest: null, isApproved: false, isWithdrawn: false };
    versions.set(name, {
      digest: kind === 'approve' ? digest : before.digest,
      isApproved: kind === 'approve' || (before.isApproved && kind !== 'revoke'),
      isWithdrawn: kind === 'withdraw' || (before.isWithdrawn && kind !== 'restore'),
    });
    if (kind === 'approve' && digest !== null)
      ofDigest.set(digest, (ofDigest.get(digest) ?? new Set()).add(name));
  }

  function objectionTo(pluginKey: string, version: string, digest: string): string | null {
    const state = versions.get(nameOf(pluginKey, version));
    if (!state?.isApproved) return 'is not approved in the log';
    if (state.digest !== digest) return 'is another package than the approved one';
    return state.isWithdrawn || withdrawnPlugins.has(pluginKey) ? 'is withdrawn' : null;
  }

  return {
    head,
    objectionTo,
    objectionToPackage(digest) {
      const names = [...(ofDigest.get(digest) ?? [])];
      const objections = names.map((name) => {
        const [pluginKey = '', version = ''] = name.split(' ');
        return objectionTo(pluginKey, version, digest);
      });
      return objections.includes(null) ? null : (objections[0] ?? 'is in no approval of the log');
    },
  };
}

/** Keys of plugins have no spaces. */
function nameOf(pluginKey: string, version: string): string {
  return `${pluginKey} ${version}`;
}

function missing(from: number, to: number): string {
  return from === to ? `Entry ${from} is missing.` : `Entries ${from} to ${to} are missing.`;
}

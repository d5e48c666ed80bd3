import { createHash } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import { LogEntry } from '../../../shared/entities/transparency.ts';
import {
  APPROVAL_KEYS,
  type Bundle,
  type BundledVersion,
  bundleSchema,
  isLogEntry,
  PLUGINS,
} from '../../community/bundle/contents.ts';
import { assertSigned } from '../../community/bundle/signing-key.ts';
import { type Release, releaseOf } from '../../community/files/media/release.ts';
import { startError } from '../../database/errors.ts';
import { collect, fileOfEntry, readArchive } from '../../storage/archive.ts';
import { flawOfSignature } from './approval.ts';
import type { Report, WalkedLog } from './log.ts';
import { jwksSchema } from './signature.ts';
import type { LogSource } from './site.ts';

/**
 * Reads a bundle without a database or a network.
 * @param trusted public key of the deployment that must have signed the bundle
 * @throws start error when it is truncated or changed, was signed with another key, or holds no log
 */
export async function openBundle(
  file: string,
  { trusted, pinned }: { trusted: string | undefined; pinned: JSONWebKeySet | undefined },
): Promise<LogSource> {
  const texts = new Map<string, string>();
  const stored = new Map<string, StoredPackage>();
  const end = await readArchive({ file, kind: 'bundle' }, async ({ name, pieces }) => {
    const packageName = fileOfEntry(name);
    if (packageName === undefined) texts.set(name, (await collect(pieces)).toString());
    else if (packageName.endsWith('.json')) stored.set(packageName, storedPackage(await collect(pieces)));
  });
  if (trusted !== undefined) assertSigned(file, end, trusted);
  const parse = <S extends TSchema>(name: string, schema: S): Static<S> => {
    const value: unknown = JSON.parse(texts.get(name) ?? 'null');
    if (!Check(schema, value)) throw startError(`${file} has no valid ${name}.`);
    return value;
  };
  const { plugins } = parse(PLUGINS, bundleSchema);
  const keys = pinned ?? parse(APPROVAL_KEYS, jwksSchema);
  const pages = [...texts.keys()].filter(isLogEntry).toSorted();
  async function* entries(): AsyncGenerator<LogEntry> {
    for (const page of pages) yield* parse(page, Type.Array(LogEntry));
  }
  return {
    heads: [],
    entries: entries(),
    async checkVersions(log, report) {
      const versions = plugins.flatMap(packaged);
      for (const version of versions) await checkVersion(version, { stored, keys, log, report });
      return versions.length;
    },
  };
}

/** A package of a bundle: its hash, and what users download of it; null if it is not JSON. */
type StoredPackage = { hash: string; release: Release | null };

function storedPackage(content: Buffer): StoredPackage {
  const hash = createHash('sha256').update(content).digest('hex');
  try {
    return { hash, release: releaseOf(content) };
  } catch {
    return { hash, release: null };
  }
}

type Packaged = Pick<BundledVersion, 'version' | 'signature' | 'host_range'> & {
  pluginKey: string;
  packageKey: string;
};

function packaged({ plugin_key: pluginKey, versions }: Bundle['plugins'][number]): Packaged[] {
  return versions.flatMap(({ package_key: packageKey, ...version }) =>
    packageKey === null ? [] : [{ ...version, pluginKey, packageKey }],
  );
}

async function checkVersion(
  { pluginKey, version, packageKey, signature, host_range: hostRange = null }: Packaged,
  given: { stored: ReadonlyMap<string, StoredPackage>; keys: JSONWebKeySet; log: WalkedLog; report: Report },
): Promise<void> {
  const report = (problem: string) => given.report(`${pluginKey} ${version} ${problem}.`);
  const stored = given.stored.get(`${packageKey}.json`);
  if (!stored?.release || stored.hash !== packageKey) return report('has a changed or missing package');
  const { key: digest, bytes: size } = stored.release;
  const objection = given.log.objectionTo(pluginKey, version, digest);
  if (objection !== null) report(objection);
  const flaw = await flawOfSignature({ pluginKey, version, digest, size, hostRange, signature }, given.keys);
  if (flaw !== null) report(flaw);
}

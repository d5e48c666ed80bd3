import { createHash } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { startError } from '../../database/errors.ts';
import { collect, fileOfEntry, readArchive } from '../../storage/archive.ts';
import { type Bundle, bundleSchema, filesOf, PLUGINS } from './contents.ts';
import { assertSigned } from './signing-key.ts';
import { SITE, type Site, siteSchema } from './site.ts';

export type CheckedBundle = {
  bundle: Bundle;
  /** What it brings to an empty site; most bundles bring nothing. */
  site: Site | undefined;
  /** Of the whole archive, which the signature covers. */
  sha256: string;
  /** SHA-256 of each file, by name. */
  hashes: ReadonlyMap<string, string>;
};

type Source = {
  file: string;
  /** Public key of the deployment that must have signed the bundle. */
  trusted: string;
  /** Whether what it brings to an empty site is wanted as well. */
  withSite?: boolean;
};

/**
 * Reads a bundle without storing anything.
 * @throws start error when it is truncated, changed, incomplete or signed with another key
 */
export async function checkBundle({ file, trusted, withSite = false }: Source): Promise<CheckedBundle> {
  const texts = new Map<string, Buffer>();
  const found = new Map<string, string>();
  const end = await readArchive({ file, kind: 'bundle' }, async ({ name, pieces }) => {
    const stored = fileOfEntry(name);
    if (name === PLUGINS || name === SITE) texts.set(name, await collect(pieces));
    else if (stored !== undefined) found.set(stored, await hashOf(pieces));
  });
  assertSigned(file, end, trusted);
  const parse = <Schema extends TSchema>(name: string, schema: Schema): Static<Schema> => {
    const value: unknown = JSON.parse(texts.get(name)?.toString() ?? 'null');
    if (!Value.Check(schema, value)) throw startError(`${file} has no valid ${name}.`);
    return value;
  };
  const bundle = parse(PLUGINS, bundleSchema);
  const site = withSite ? parse(SITE, siteSchema) : undefined;
  const names = [...filesOf(bundle), ...(site ? filesOf(site) : [])];
  const missing = names.filter((name) => !found.has(name));
  if (missing.length > 0) throw startError(`${file} lacks ${missing.length} of its files.`);
  const hashes = new Map(names.map((name) => [name, found.get(name) ?? '']));
  for (const [name, hash] of hashes) {
    // The name of a video or package is the hash of its content.
    if (!name.includes('-') && !name.startsWith(hash))
      throw startError(`The content of ${name} does not match its name.`);
  }
  return { bundle, site, sha256: end.sha256, hashes };
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

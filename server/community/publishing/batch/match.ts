import { type Language, textIn } from '../../../../shared/languages.ts';
import type { DataOf } from '../../../../shared/route.ts';
import type { batchRoutes } from '../../../../shared/routes/publish.ts';
import { foldName } from '../../catalogue/search/lexemes.ts';
import { greatestVersion } from '../../catalogue/versions/versions.ts';
import type { Db } from '../../schema.ts';
import { type CandidateRow, readCandidates } from './store.ts';

/** Identification of a package: id of its manifest, and names. */
type Described = { external_id: string | null; names: readonly string[] };

type Match = DataOf<(typeof batchRoutes)['matchPackages']>['matches'][number];

/** Candidates returned for one package. */
const SHOWN = 10;

/**
 * Finds for each package the caller's own plugins of which it could be a version. It is matched with a plugin when exactly one
 * has both its id and its name, since anybody may write the same id or the same name, but hardly both.
 */
export async function matchPackages(
  db: Db,
  packages: readonly Described[],
  { userId, language }: { userId: number; language: Language },
): Promise<Match[]> {
  const candidates = await readCandidates(db, {
    userId,
    externalIds: packages.flatMap(({ external_id }) => external_id ?? []),
    names: packages.flatMap(({ names }) => names),
  });
  return packages.map((described) => matchOf(described, candidates, language));
}

function matchOf(described: Described, candidates: readonly CandidateRow[], language: Language): Match {
  const names = new Set(described.names.map(foldName).filter((name) => name !== ''));
  const compared = candidates.map((row) => ({
    row,
    hasId: row.external_id !== null && row.external_id === described.external_id,
    hasName: namesOf(row).some((name) => names.has(name)),
  }));
  const both = compared.filter(({ hasId, hasName }) => hasId && hasName);
  const some = compared.filter(({ hasId, hasName }) => hasId || hasName);
  const others = some.filter((one) => !both.includes(one));
  return {
    plugin_key: both.length === 1 ? (both[0]?.row.plugin_key ?? null) : null,
    candidates: [...both, ...others].slice(0, SHOWN).map(({ row }) => ({
      plugin_key: row.plugin_key,
      name: textIn({ ...row.live_names, ...row.names }, language, row.default_lang).text,
      last_version: greatestVersion(row.versions) ?? '',
    })),
  };
}

function namesOf({ names, live_names }: CandidateRow): string[] {
  return [...Object.values(names), ...Object.values(live_names)].map(foldName);
}

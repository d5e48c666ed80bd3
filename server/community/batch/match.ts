import { type Language, textIn } from '../../../shared/languages.ts';
import type { DataOf } from '../../../shared/route.ts';
import type { batchRoutes } from '../../../shared/routes/publish.ts';
import type { Db } from '../schema.ts';
import { foldName } from '../search/lexemes.ts';
import { greatestVersion } from '../versions/versions.ts';
import { type CandidateRow, readCandidates } from './store.ts';

/** By what a package is told to be a version of a plugin that is there. */
type Described = { external_id: string | null; names: readonly string[] };

type Match = DataOf<(typeof batchRoutes)['matchPackages']>['matches'][number];

/** Candidates told for one package. */
const SHOWN = 10;

/**
 * For each package the caller's own plugins that it could become a version of. It is one's, unless something else is
 * chosen, when exactly one has both its id and its name: ids are anybody's to write, names are too, but hardly both.
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
  const judged = candidates.map((row) => ({
    row,
    hasId: row.external_id !== null && row.external_id === described.external_id,
    hasName: namesOf(row).some((name) => names.has(name)),
  }));
  const both = judged.filter(({ hasId, hasName }) => hasId && hasName);
  const some = judged.filter(({ hasId, hasName }) => hasId || hasName);
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

import type { Finding } from '../../../../shared/entities/finding.ts';
import type { Texts } from '../../../../shared/languages.ts';
import { finding } from '../../../../shared/package/finding-codes.ts';
import type { Db } from '../../schema.ts';
import { editDistance } from '../../search/edit-distance.ts';
import { candidateQueries } from './candidates.ts';
import { skeletonOf } from './skeleton.ts';
import { findOtherNames, type OtherName } from './store.ts';

/** Edits that still leave a name to be taken for another, by the letters it has. */
function editsAllowed(letters: number): number {
  if (letters < 5) return 0;
  return letters < 12 ? 1 : 2;
}

/** Whether people could take one name for the other. */
export function looksAlike(name: string, other: string): boolean {
  const [a, b] = [skeletonOf(name), skeletonOf(other)];
  if (a === '' || b === '') return false;
  const most = editsAllowed(Math.max([...a].length, [...b].length));
  return editDistance(a, b, most) <= most;
}

/**
 * Warns of names that are close to one of another publisher's plugin, once each (design section 7, rule 9).
 * @param names in all languages
 */
export async function similarNames(db: Db, names: Texts, publisherId: number): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const [language, name] of Object.entries(names)) {
    const other = await firstAlike(db, name, publisherId);
    if (other) found.push(finding('SIMILAR_NAME', { pointer: `/name/${language}` }, other));
  }
  return found;
}

async function firstAlike(db: Db, name: string, publisherId: number): Promise<OtherName | undefined> {
  for (const query of candidateQueries(name)) {
    const others = await findOtherNames(db, query, publisherId);
    const alike = others.find((other) => looksAlike(name, other.name));
    if (alike) return alike;
  }
  return undefined;
}

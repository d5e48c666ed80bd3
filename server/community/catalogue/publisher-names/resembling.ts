import type { Db } from '../../schema.ts';
import { areAlike, nearKeysOf, skeletonsOf } from './skeletons.ts';
import { findVerifiedNames, type VerifiedName } from './store.ts';

/** A verified publisher whose name, handle or domain a text looks like. */
export type Resembled = {
  nick_name: string;
  handle: string;
  /** Whether they look the same; else they differ by one letter. */
  isSame: boolean;
};

/**
 * Finds verified publishers that texts could be mistaken for, the closest one for each text.
 * @param publisherId who uses the texts; nobody resembles themselves, nor who has proved the same domain
 */
export async function resembledBy(
  db: Db,
  texts: readonly string[],
  publisherId: number,
): Promise<(Resembled | undefined)[]> {
  const asked = texts.map(skeletonsOf);
  const keys = new Set(asked.flat().flatMap(nearKeysOf));
  const known = keys.size === 0 ? [] : await findVerifiedNames(db, [...keys], publisherId);
  return asked.map((skeletons) => closestTo(skeletons, known));
}

function closestTo(skeletons: readonly string[], known: readonly VerifiedName[]): Resembled | undefined {
  const same = known.find(({ skeleton }) => skeletons.includes(skeleton));
  const found = same ?? known.find(({ skeleton }) => skeletons.some((one) => areAlike(one, skeleton)));
  return found && { nick_name: found.nick_name, handle: found.handle, isSame: found === same };
}

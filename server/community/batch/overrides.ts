import type { ErrorDetail } from '../../../shared/errors.ts';
import type { BodyOf } from '../../../shared/route.ts';
import type { batchRoutes } from '../../../shared/routes/batch.ts';
import { appError } from '../../http/errors.ts';

/** What is to become of one item, as somebody has decided who has seen the batch. */
export type Override = NonNullable<BodyOf<(typeof batchRoutes)['uploadBatch']>['items']>[number];

/** What was decided on an item, by the place of its file and its place in there. */
export type OverrideOf = (file: number, index: number) => Override | undefined;

/**
 * Holds decisions against the items there are.
 * @param counts items of each file
 * @throws VALIDATION_FAILED for decisions on items that are not there, and for two on one item
 */
export function overridesFor(decided: readonly Override[], counts: readonly number[]): OverrideOf {
  const byPlace = new Map<string, Override>();
  const details: ErrorDetail[] = [];
  for (const [place, override] of decided.entries()) {
    const { file, index } = override;
    const key = keyOf(file, index);
    const pointer = `/items/${place}`;
    if (index >= (counts[file] ?? 0)) details.push({ pointer, message: 'names an item that is not there' });
    else if (byPlace.has(key)) details.push({ pointer, message: 'names an item for the second time' });
    byPlace.set(key, override);
  }
  if (details.length > 0) throw appError('VALIDATION_FAILED', { details });
  return (file, index) => byPlace.get(keyOf(file, index));
}

function keyOf(file: number, index: number): string {
  return `${file}/${index}`;
}

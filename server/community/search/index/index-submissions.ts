import type { Db } from '../../schema.ts';
import { documentOf } from '../document.ts';
import { readSearchableSubmissions, writeSubmissionWords } from './submission-store.ts';

/** Makes submissions findable by what was handed in. */
export async function indexSubmissions(db: Db, submissionIds: readonly number[]): Promise<void> {
  const found = await readSearchableSubmissions(db, submissionIds);
  await writeSubmissionWords(
    db,
    found.map(({ submission_id, ...searchable }) => ({ submission_id, words: documentOf(searchable).full })),
  );
}

import type { PublishResult } from '../../../shared/entities/review.ts';
import type { FileStore } from '../media/files.ts';
import type { Pictures } from '../media/pictures.ts';
import { storeFile } from '../media/stored-files.ts';
import type { CheckedSubmission } from './check-submission.ts';
import { type SubmitParts, submit } from './submit.ts';

export type StoreParts = { submitting: SubmitParts; files: FileStore; pictures: Pictures };

/**
 * Stores the files of a checked submission, then hands it in. It is rehearsed first, so that what would be refused, or
 * is there already, stores nothing; what a lost race leaves behind is for the sweep.
 * @throws what `submit` throws; STORAGE_FULL
 */
export async function storeAndSubmit(
  parts: StoreParts,
  { submission, pictures, files }: CheckedSubmission,
): Promise<PublishResult> {
  const rehearsed = await submit(parts.submitting, submission, 'dry-run');
  if (rehearsed.findings.some(({ code }) => code === 'VERSION_REPEATED')) return rehearsed;
  for (const picture of pictures) await parts.pictures.store(picture);
  for (const file of files) await storeFile(parts.files, file);
  return submit(parts.submitting, submission);
}

import type { TObject } from 'typebox';
import type { ErrorCode } from '../../../shared/errors.ts';

/** What one kind of file part may be. */
export type FileRule = {
  /** Parts of this name at most. */
  count: number;
  /** Bytes of each at most. */
  bytes: number;
  /** Bytes of all of them together, where that is less than each at its largest. */
  together?: number;
  /** Refuses a part with too many bytes; its `{size}` is filled with the limit in megabytes. */
  tooLarge: ErrorCode;
  /** Refuses one part too many; VALIDATION_FAILED unless named. */
  tooMany?: ErrorCode;
  /** Values of other placeholders in the messages of both. */
  params?: Readonly<Record<string, string>>;
};

export type FileRules = Readonly<Record<string, FileRule>>;

/** A file part as it lies on the disk while its request is being answered. */
export type UploadedFile = { field: string; filename: string; path: string; bytes: number };

/** The file parts of a form by name, in the order they came; a name without parts has an empty list. */
export type FilesOf<Rules extends FileRules> = Readonly<Record<keyof Rules, UploadedFile[]>>;

/** Bytes one field may have: the longest text there is, in six languages, every character escaped. */
export const FIELD_BYTES_MAX = 512 * 1024;
/** Room for delimiters and headers of a part. */
const PART_OVERHEAD = 4096;

/** What is too much together is read to this multiple, so that the answer can say what of the form it is. */
const SURPLUS = 2;

/** Bytes a whole form may have, as its fields and files add up. */
export function formBytesMax(fields: TObject, files: FileRules): number {
  const fieldParts = Object.keys(fields.properties).length;
  const fileBytes = Object.values(files).map(
    ({ count, bytes, together }) => count * PART_OVERHEAD + (together ? together * SURPLUS : count * bytes),
  );
  return fieldParts * (FIELD_BYTES_MAX + PART_OVERHEAD) + fileBytes.reduce((sum, bytes) => sum + bytes, 0);
}

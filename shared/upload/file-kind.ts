import { fileTypeFromBuffer } from 'file-type';
import type { ByteSource } from './byte-source.ts';

/** As much of a file as tells its kind. */
const HEAD = 16 * 1024;

/**
 * What a file is, told by its content alone: never by its name, nor by the type that was declared for it.
 * @returns undefined for what is of no known kind
 */
export async function fileKindOf(source: ByteSource): Promise<{ ext: string; mime: string } | undefined> {
  const head = await source.read(0, HEAD);
  return fileTypeFromBuffer(head).catch(() => undefined);
}

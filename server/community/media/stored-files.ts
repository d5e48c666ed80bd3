import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import type { FileStore } from './files.ts';

/** A video or a package as its row has it: stored as it came, named by the SHA-256 of its bytes. */
export type KeptFile = { key: string; extension: 'mp4' | 'webm' | 'json'; mime_type: string; bytes: number };

/** A file ready to be stored: where its bytes are. */
export type PreparedFile = { file: KeptFile; content: Uint8Array | string };

/** A package that has passed its check, as the file it becomes. Its name is none that media are served by. */
export function preparePackage(content: Uint8Array): PreparedFile {
  return packageFile(createHash('sha256').update(content).digest('hex'), content.length, content);
}

/** The same of one whose hash is known, by its bytes or by the file they lie in. */
export function packageFile(key: string, bytes: number, content: Uint8Array | string): PreparedFile {
  return { file: { key, extension: 'json', mime_type: 'application/json', bytes }, content };
}

export function storedName({ key, extension }: Pick<KeptFile, 'key' | 'extension'>): string {
  return `${key}.${extension}`;
}

/**
 * Keeps a prepared file. It is durable when this resolves; the row is the caller's to write.
 * @throws STORAGE_FULL
 */
export async function storeFile(files: FileStore, { file, content }: PreparedFile): Promise<KeptFile> {
  await files.put(storedName(file), typeof content === 'string' ? chunksOf(content) : content);
  return file;
}

/** Opens the file when the first chunk is asked for, so that nothing stays open when none is. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

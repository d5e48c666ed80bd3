import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { checkVideo } from '../../../shared/upload/video-check.ts';
import { withFileSource } from './file-source.ts';
import type { FileStore } from './files.ts';
import { refusal } from './refusal.ts';

/** A video or a package as its row has it: stored as it came, named by the SHA-256 of its bytes. */
export type KeptFile = { key: string; extension: 'mp4' | 'webm' | 'json'; mime_type: string; bytes: number };

/** A file ready to be stored: where its bytes are. */
export type PreparedFile = { file: KeptFile; content: Uint8Array | string };

/**
 * Checks an uploaded video and takes its hash; nothing is stored.
 * @param path where the upload lies
 * @param pointer where the form has it, told when it is refused
 * @throws VIDEO_FORMAT, VIDEO_TOO_LARGE with the finding
 */
export async function prepareVideo(path: string, pointer = ''): Promise<PreparedFile> {
  const { checked, bytes } = await withFileSource(path, async (source) => ({
    checked: await checkVideo(source, pointer),
    bytes: source.size,
  }));
  if ('code' in checked) throw refusal(checked, 'VIDEO_FORMAT');
  const { extension, mime_type } = checked;
  return { file: { key: await hashOf(path), extension, mime_type, bytes }, content: path };
}

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

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest('hex');
}

/** Opens the file when the first chunk is asked for, so that nothing stays open when none is. */
async function* chunksOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path);
}

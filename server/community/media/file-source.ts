import { open } from 'node:fs/promises';
import type { ByteSource } from '../../../shared/upload/byte-source.ts';

/** Opens a file on disk for those who read it in pieces, and closes it when `use` has ended. */
export async function withFileSource<T>(path: string, use: (source: ByteSource) => Promise<T>): Promise<T> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await use({
      size,
      async read(offset, length) {
        const buffer = Buffer.allocUnsafe(Math.max(0, Math.min(length, size - offset)));
        const { bytesRead } = await file.read(buffer, 0, buffer.length, offset);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}

import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Report, WalkedLog } from './log.ts';

/** Checks by its digest that each file of a folder is an approved package. @returns number of files */
export async function checkFolder(folder: string, log: WalkedLog, report: Report): Promise<number> {
  const found = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = found.filter((one) => one.isFile()).map(({ parentPath, name }) => join(parentPath, name));
  for (const file of files.toSorted()) {
    const hash = createHash('sha256');
    await pipeline(createReadStream(file), hash);
    const objection = log.objectionToPackage(hash.digest('hex'));
    if (objection !== null) report(`${relative(folder, file)} ${objection}.`);
  }
  return files.length;
}

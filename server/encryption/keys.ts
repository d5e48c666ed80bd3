import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

const KEY_BYTES = 32;

/**
 * Master keys: the configured ones, or one generated once in the data folder, in a file that only
 * its owner can read. Processes that start at the same time get the same key.
 * @throws Error if the file does not contain keys of 32 bytes
 */
export function loadKeys({
  configured,
  dataDir,
  fileName,
}: {
  configured: readonly Buffer[];
  dataDir: string;
  fileName: string;
}): Buffer[] {
  if (configured.length > 0) return [...configured];
  const file = join(dataDir, fileName);
  return readKeys(file) ?? generateKeys(file, dataDir);
}

function readKeys(file: string): Buffer[] | undefined {
  const text = unlessCode('ENOENT', () => readFileSync(file, 'utf8'));
  if (text === undefined) return undefined;
  const keys = text
    .split(/[\s,]+/)
    .filter((part) => part !== '')
    .map((part) => Buffer.from(part, 'base64url'));
  if (keys.length === 0 || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(`${file} must hold keys of ${KEY_BYTES} bytes in base64url`);
  }
  return keys;
}

/** The complete file is linked into place atomically; if another process was faster, its key is used. */
function generateKeys(file: string, dataDir: string): Buffer[] {
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, `${randomBytes(KEY_BYTES).toString('base64url')}\n`);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  unlessCode('EEXIST', () => linkSync(draft, file));
  rmSync(draft);
  const keys = readKeys(file);
  if (!keys) throw new Error(`${file} has disappeared`);
  return keys;
}

/** Undefined if a system call fails with this code. */
function unlessCode<T>(code: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  }
}

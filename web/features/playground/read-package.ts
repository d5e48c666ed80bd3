import type { ProgramPackage } from '../../../packages/sandbox/index.ts';
import { download } from '../../api/download.ts';

/**
 * Fetches a package by its digest, and checks that it is what the digest names.
 * @throws ApiError; Error if the content is another
 */
export async function readPackage(digest: string): Promise<ProgramPackage> {
  const file = await download('readPackage', { sha256: digest });
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()));
  const hex = [...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  if (hex !== digest) throw new Error('The package has another digest');
  return packageIn(file);
}

/** @throws Error if the file is not a package */
export async function packageIn(file: Blob): Promise<ProgramPackage> {
  const parsed: unknown = JSON.parse(await file.text());
  if (!isPackage(parsed)) throw new Error('This is not a package');
  return parsed;
}

function isPackage(value: unknown): value is ProgramPackage {
  if (!isRecord(value) || !isRecord(value.manifest) || !isRecord(value.files)) return false;
  return Object.values(value.files).every((text) => typeof text === 'string');
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

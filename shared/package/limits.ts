import { BATCH_ITEMS_MAX, TAGS_MAX } from '../constants.ts';

const MEGABYTE = 1024 * 1024;

/** What a package may be at most (design section 7); configurable. Sizes in bytes. */
export type PackageLimits = {
  fileBytes: number;
  codeBytes: number;
  files: number;
  depth: number;
  /** Values in the whole JSON: objects, arrays, texts, numbers. */
  values: number;
  menuItems: number;
  menuDepth: number;
  domains: number;
  tags: number;
  iconBytes: number;
  batchItems: number;
  /** Findings told; the rest is counted. */
  findings: number;
};

export const DEFAULT_PACKAGE_LIMITS: PackageLimits = {
  fileBytes: 10 * MEGABYTE,
  codeBytes: 5 * MEGABYTE,
  files: 32,
  depth: 32,
  values: 50_000,
  menuItems: 64,
  menuDepth: 4,
  domains: 64,
  tags: TAGS_MAX,
  iconBytes: 256 * 1024,
  batchItems: BATCH_ITEMS_MAX,
  findings: 200,
};

/** Bytes as the number of megabytes that messages show. */
export function inMegabytes(bytes: number): string {
  return String(Math.round((bytes / MEGABYTE) * 10) / 10);
}

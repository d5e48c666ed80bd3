import type { PackageReading } from '../../../shared/package/package.ts';
import type { PackageItem } from './package-item.ts';

/** What the page asks of the worker: one package, or the packages of many files, `most` of them. */
export type WorkerRequest = { kind: 'one'; file: File } | { kind: 'many'; files: File[]; most: number };

/** What the worker tells the page. */
export type WorkerAnswer =
  | { kind: 'bytes'; bytes: number }
  | { kind: 'item'; item: PackageItem }
  | { kind: 'reading'; reading: PackageReading }
  /** `isCut`: there was more than was asked for. */
  | { kind: 'end'; isCut: boolean }
  | { kind: 'failed' };

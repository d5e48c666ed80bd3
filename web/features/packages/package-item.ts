import type { Finding } from '../../../shared/entities/finding.ts';
import type { PackageReading, ReadPackage } from '../../../shared/package/package.ts';
import type { Origin } from '../../../shared/package/report.ts';

/** One package of a file, as it was read in the browser. */
export type PackageItem = {
  /** Place of its file among those that were read. */
  file: number;
  fileName: string;
  /** Place within the file's list; 0 for a file of one package. */
  index: number;
  /** Its own bytes, to be sent. */
  content: Blob;
  /** Tells equal contents apart from others; no proof. */
  fingerprint: string;
  /** Where it begins in its file. */
  origin: Required<Origin>;
  findings: Finding[];
  package: ReadPackage | null;
  /** The file could not be read to its end: it was moved, changed or taken away. */
  isCutOff: boolean;
};

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

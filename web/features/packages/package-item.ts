import type { Finding } from '../../../shared/entities/finding.ts';
import type { PackageReading, ReadPackage } from '../../../shared/package/package.ts';
import type { Origin } from '../../../shared/package/report.ts';

/** One package of a file, as read in the browser. */
export type PackageItem = {
  /** Index of its file. */
  file: number;
  fileName: string;
  /** Index within the file's list; 0 for a file with one package. */
  index: number;
  /** Its own bytes, to be sent. */
  content: Blob;
  /** Fingerprint for comparing contents; not cryptographic. */
  fingerprint: string;
  origin: Required<Origin>;
  findings: Finding[];
  package: ReadPackage | null;
  /** The file couldn't be read to its end: it was moved, changed or deleted. */
  isCutOff: boolean;
};

/** Ids of the site's design tools; undefined if it has none configured. */
export type KnownHosts = string[] | undefined;

/** Requests to the worker: one package, or up to `most` packages of many files. */
export type WorkerRequest = { hosts: KnownHosts } & (
  | { kind: 'one'; file: File }
  | { kind: 'many'; files: File[]; most: number }
);

export type WorkerMessage =
  | { kind: 'bytes'; bytes: number }
  | { kind: 'item'; item: PackageItem }
  | { kind: 'reading'; reading: PackageReading }
  /** `isCut`: the files have more packages than `most`. */
  | { kind: 'end'; isCut: boolean }
  | { kind: 'failed' };

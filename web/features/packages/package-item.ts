import type { Finding } from '../../../shared/entities/finding.ts';
import type { ReadPackage } from '../../../shared/package/package.ts';
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

import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import { checkPackage } from '../../../../shared/package/check-package.ts';
import type { PackageLimits, PackageReading } from '../../../../shared/package/package.ts';
import type { Origin } from '../../../../shared/package/report.ts';
import { type Release, releaseOf } from '../../files/media/release.ts';

/** The bytes of a package, or the path of its file. */
export type PackageContent = Uint8Array | string;
export type CheckTask = {
  content: PackageContent;
  limits: PackageLimits;
  hosts?: readonly string[] | undefined;
  origin?: Origin | undefined;
};
export type CheckedPackage = PackageReading & {
  sha256: string;
  /** What users will download of a package; null if it cannot be read. */
  release: Release | null;
};

/** Runs in a worker thread, since parsing some megabytes of script takes seconds. Posts the name of each script before. */
export function check({ content, limits, hosts, origin }: CheckTask): CheckedPackage {
  const bytes = typeof content === 'string' ? readFileSync(content) : content;
  const checked = checkPackage(bytes, {
    limits,
    hosts,
    origin,
    onScript: (file) => parentPort?.postMessage(file),
  });
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  // An unchanged name may stay as it is, which is known with the listing so far.
  const findings = checked.findings.filter(({ code }) => code !== 'NAME_MARK');
  return { ...checked, findings, sha256, release: checked.package && releaseOf(bytes) };
}

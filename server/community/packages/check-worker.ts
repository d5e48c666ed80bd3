import { createHash } from 'node:crypto';
import { checkPackage } from '../../../shared/package/check-package.ts';
import type { PackageLimits } from '../../../shared/package/limits.ts';
import type { PackageReading } from '../../../shared/package/package.ts';
import type { Origin } from '../../../shared/package/report.ts';

export type CheckTask = { bytes: Uint8Array; limits: PackageLimits; origin?: Origin | undefined };
export type CheckedPackage = PackageReading & { sha256: string };

/** Runs in a thread of its own: parsing some megabytes of script takes seconds. */
export function check({ bytes, limits, origin }: CheckTask): CheckedPackage {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { ...checkPackage(bytes, { limits, ...(origin ? { origin } : {}) }), sha256 };
}

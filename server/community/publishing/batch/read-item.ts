import type { Finding } from '../../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../../shared/errors.ts';
import { finding, isUsable } from '../../../../shared/package/finding-codes.ts';
import { isOverruled, type PackagedField } from '../../../../shared/package/listing-rules.ts';
import type { ReadPackage } from '../../../../shared/package/package.ts';
import type { PackageBytes } from '../../../../shared/package/splitter.ts';
import type { BodyOf } from '../../../../shared/route.ts';
import type { batchRoutes } from '../../../../shared/routes/publish.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { appError } from '../../../http/errors.ts';
import type { Release } from '../../files/media/release.ts';
import type { CheckCall, PackageCheck } from '../packages/package-check.ts';

/** The caller's decisions on one item after a dry run of the batch. */
export type Override = NonNullable<BodyOf<(typeof batchRoutes)['uploadBatch']>['items']>[number];

/** Finds the decisions on an item by the index of its file and its index in the file. */
type OverrideOf = (file: number, index: number) => Override | undefined;

/**
 * Checks decisions against the items of the files.
 * @param counts items of each file
 * @throws VALIDATION_FAILED for decisions on missing items, and for two decisions on one item
 */
export function overridesFor(decided: readonly Override[], counts: readonly number[]): OverrideOf {
  const byPlace = new Map<string, Override>();
  const details: ErrorDetail[] = [];
  for (const [place, override] of decided.entries()) {
    const { file, index } = override;
    const key = keyOf(file, index);
    const pointer = `/items/${place}`;
    if (index >= (counts[file] ?? 0)) details.push({ pointer, message: 'names an item that is not there' });
    else if (byPlace.has(key)) details.push({ pointer, message: 'names an item for the second time' });
    byPlace.set(key, override);
  }
  if (details.length > 0) throw appError('VALIDATION_FAILED', { details });
  return (file, index) => byPlace.get(keyOf(file, index));
}

function keyOf(file: number, index: number): string {
  return `${file}/${index}`;
}

/** A checked package with the caller's decisions. */
export type ReadItem = {
  package: ReadPackage;
  /** What users will download of it. */
  release: Release | null;
  /** Its names in any language. */
  names: string[];
  /** Values of the caller, which take precedence. */
  override: Override | undefined;
  /** Warnings and notices. */
  findings: Finding[];
};

/**
 * Checks a package; one that cannot be imported is returned as its findings.
 * @throws TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE, the signal's reason
 */
export async function readItem(
  packages: PackageCheck,
  { bytes, line, column, pointer }: PackageBytes,
  override: Override | undefined,
  call: Pick<CheckCall, 'userId' | 'signal'>,
): Promise<ReadItem | { refused: Finding[] }> {
  const checked = await packages.check(bytes, { ...call, origin: { line, column, pointer } });
  const isGiven = (field: PackagedField): boolean => gives(override, field);
  const findings = checked.findings.filter((found) => !isOverruled(found, pointer, isGiven));
  const { package: read } = checked;
  if (!read || !isUsable(findings)) return { refused: findings };
  const given = [override?.name, ...Object.values(override?.listing?.name ?? {})];
  const names = [...given, ...Object.values(read.listing.name ?? {}), read.name].filter(isGivenText);
  if (names.length === 0) {
    const missing = finding('FIELD_REQUIRED', { pointer: `${pointer}/manifest/name`, line });
    return { refused: [missing, ...findings] };
  }
  return { package: read, release: checked.release, names, override, findings };
}

function gives(override: Override | undefined, field: PackagedField): boolean {
  const { listing = {}, name, version, icon } = override ?? {};
  if (field === 'version') return isGivenText(version);
  if (field === 'icon') return icon !== undefined || (listing.remove?.includes('icon') ?? false);
  return listing[field] !== undefined || (field === 'name' && isGivenText(name));
}

function isGivenText(name: string | undefined): name is string {
  return name !== undefined && isVisible(name);
}

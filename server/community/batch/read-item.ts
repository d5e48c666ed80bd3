import type { Finding } from '../../../shared/entities/finding.ts';
import { finding, isUsable } from '../../../shared/package/finding-codes.ts';
import type { ReadPackage } from '../../../shared/package/package.ts';
import type { PackageBytes } from '../../../shared/package/split/splitter.ts';
import type { CheckCall, PackageCheck } from '../packages/package-check.ts';
import type { Override } from './overrides.ts';

/** A package as it is to be imported: what it says, mended by hand. */
export type ReadItem = {
  package: ReadPackage;
  /** Names it goes by, in any language. */
  names: string[];
  /** The name somebody has given by hand. */
  name: string | undefined;
  /** The number somebody has given by hand. */
  version: string | undefined;
  /** Warnings and notices. */
  findings: Finding[];
};

/** What mending by hand makes right, by where it stands in the package. */
const MENDED: Readonly<Record<'name' | 'version', readonly string[]>> = {
  name: ['/manifest/name', '/listing/name'],
  version: ['/manifest/version', '/listing/version'],
};

/**
 * Checks a package; one that cannot be imported as it stands comes back as what is wrong with it.
 * @throws TOO_MANY_REQUESTS, SERVICE_UNAVAILABLE, the signal's reason
 */
export async function readItem(
  packages: PackageCheck,
  { bytes, line, column, pointer }: PackageBytes,
  override: Override | undefined,
  call: Pick<CheckCall, 'userId' | 'signal'>,
): Promise<ReadItem | { refused: Finding[] }> {
  const checked = await packages.check(bytes, { ...call, origin: { line, column, pointer } });
  const findings = checked.findings.filter((found) => !isMended(found, pointer, override));
  const { package: read } = checked;
  if (!read || !isUsable(findings)) return { refused: findings };
  const name = override?.name?.trim() || undefined;
  const names = [name, ...Object.values(read.listing.name ?? {}), read.name].filter(isSaid);
  if (names.length === 0) {
    const missing = finding('FIELD_REQUIRED', { pointer: `${pointer}/manifest/name`, line });
    return { refused: [missing, ...findings] };
  }
  return { package: read, names, name, version: override?.version?.trim(), findings };
}

function isMended({ pointer, severity }: Finding, origin: string, override: Override | undefined): boolean {
  if (severity !== 'error' || !pointer.startsWith(origin)) return false;
  const within = pointer.slice(origin.length);
  const isAt = (field: 'name' | 'version') =>
    isSaid(override?.[field]) &&
    MENDED[field].some((place) => within === place || within.startsWith(`${place}/`));
  return isAt('name') || isAt('version');
}

function isSaid(name: string | undefined): name is string {
  return name !== undefined && name.trim() !== '';
}

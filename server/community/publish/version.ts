import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { PackageReading } from '../../../shared/package/package.ts';
import { compareVersions, isVersion } from '../../../shared/package/version.ts';
import type { UploadedFile } from '../forms/uploads.ts';
import { type PreparedFile, packageFile } from '../media/stored-files.ts';
import type { CheckCall, PackageCheck } from '../packages/package-check.ts';
import { type PluginFields, trimmedTexts } from './listing.ts';
import type { KnownVersion, NewVersion } from './store.ts';
import type { PluginSnapshot } from './submission.ts';

/** The package that came with a form, as far as it could be read. */
type CheckedCode = PackageReading & { file: PreparedFile };

export async function checkCode(
  packages: PackageCheck,
  upload: UploadedFile | undefined,
  call: CheckCall,
): Promise<CheckedCode | null> {
  if (!upload) return null;
  const { path, bytes } = upload;
  const { findings, package: read, sha256 } = await packages.check(path, call);
  return { findings, package: read, file: packageFile(sha256, bytes, path) };
}

type VersionCall = { fields: PluginFields; snapshot: PluginSnapshot | null; needsPackage: boolean };

/** The version that a package becomes, null for none, and what is wrong with its number. */
export function checkVersion(
  code: CheckedCode | null,
  { fields, snapshot, needsPackage }: VersionCall,
): { version: NewVersion | null; findings: Finding[] } {
  if (!code) {
    const isAnother = fields.version !== undefined && fields.version !== snapshot?.target.version;
    const isMissing = needsPackage || isAnother;
    return { version: null, findings: isMissing ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : [] };
  }
  const { package: read, file, findings: found } = code;
  if (!read) return { version: null, findings: [] };
  const { version, findings } = chooseVersion({
    form: fields.version,
    packaged: read.version,
    packageKey: file.file.key,
    known: snapshot?.versions,
  });
  return {
    version: {
      version,
      kind: fields.version_kind ?? 'new',
      note: trimmedTexts(fields.version_note ?? read.listing.version_note ?? {}),
      packageKey: file.file.key,
      packageBytes: file.file.bytes,
      manifest: read.manifest,
      allowedDomains: read.allowed_domains,
      findings: found,
    },
    findings,
  };
}

/** What the first version of a plugin is when nobody says. */
const FIRST_VERSION = '1.0.0';

type Named = {
  /** As the form and the package name it. */
  form: string | undefined;
  packaged: string | null;
  packageKey: string;
  /** Versions of the plugin; undefined for a new one. */
  known: readonly KnownVersion[] | undefined;
};

/** The number of the version that a package becomes, and what is wrong with it. */
export function chooseVersion({ form, packaged, packageKey, known }: Named): {
  version: string;
  findings: Finding[];
} {
  const pointer = '/version';
  const named = form?.trim() || packaged;
  if (!named && known) return { version: '', findings: [finding('FIELD_REQUIRED', { pointer })] };
  const version = named ?? FIRST_VERSION;
  if (!named) return { version, findings: [finding('VERSION_ASSUMED', { pointer }, { version })] };
  if (!isVersion(version)) {
    return { version, findings: [finding('VERSION_INVALID', { pointer }, { version })] };
  }
  const verdict = versionVerdict(known ?? [], { version, packageKey });
  return { version, findings: verdict.kind === 'refused' ? [verdict.finding] : [] };
}

type VersionVerdict =
  | { kind: 'new' }
  /** The same number with the same package: there is nothing to do. */
  | { kind: 'repeat'; known: KnownVersion }
  | { kind: 'refused'; finding: Finding };

/**
 * Compares a version number with those there ever were of its plugin (design section 7): greater by precedence (Semantic
 * Versioning 2.0.0 section 11) than each, or a harmless repeat.
 */
export function versionVerdict(
  known: readonly KnownVersion[],
  { version, packageKey }: { version: string; packageKey: string },
): VersionVerdict {
  const pointer = '/version';
  const same = known.find((other) => other.version === version);
  if (same?.package_key === packageKey) return { kind: 'repeat', known: same };
  if (same) return { kind: 'refused', finding: finding('VERSION_EXISTS', { pointer }, { version }) };
  const numbers = known.map((other) => other.version).filter(isVersion);
  const greatest = numbers.toSorted(compareVersions).at(-1);
  if (greatest !== undefined && compareVersions(version, greatest) <= 0) {
    return { kind: 'refused', finding: finding('VERSION_NOT_GREATER', { pointer }, { version: greatest }) };
  }
  return { kind: 'new' };
}

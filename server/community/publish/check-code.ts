import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import type { PackageReading } from '../../../shared/package/package.ts';
import type { UploadedFile } from '../forms/rules.ts';
import { type PreparedFile, packageFile } from '../media/stored-files.ts';
import type { CheckCall, PackageCheck } from '../packages/package-check.ts';
import { chooseVersion } from './choose-version.ts';
import type { PluginFields } from './merge-listing.ts';
import type { Standing } from './standing.ts';
import type { NewVersion } from './store.ts';
import { trimmedTexts } from './texts.ts';

/** The package that came with a form, as far as it could be read. */
export type CheckedCode = PackageReading & { file: PreparedFile };

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

type VersionCall = { fields: PluginFields; standing: Standing | null; needsPackage: boolean };

/** The version that a package becomes, null for none, and what is wrong with its number. */
export function checkVersion(
  code: CheckedCode | null,
  { fields, standing, needsPackage }: VersionCall,
): { version: NewVersion | null; findings: Finding[] } {
  if (!code) {
    const isAnother = fields.version !== undefined && fields.version !== standing?.version;
    const isMissing = needsPackage || isAnother;
    return { version: null, findings: isMissing ? [finding('FIELD_REQUIRED', { pointer: '/code' })] : [] };
  }
  const { package: read, file, findings: found } = code;
  if (!read) return { version: null, findings: [] };
  const { version, findings } = chooseVersion({
    form: fields.version,
    packaged: read.version,
    packageKey: file.file.key,
    known: standing?.versions,
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

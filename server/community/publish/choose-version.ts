import type { Finding } from '../../../shared/entities/finding.ts';
import { finding } from '../../../shared/package/finding-codes.ts';
import { isVersion } from '../../../shared/package/version.ts';
import type { KnownVersion } from './store.ts';
import { judgeVersion } from './version-rules.ts';

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
  const verdict = judgeVersion(known ?? [], { version, packageKey });
  return { version, findings: verdict.kind === 'refused' ? [verdict.finding] : [] };
}

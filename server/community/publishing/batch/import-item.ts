import type { Finding } from '../../../../shared/entities/finding.ts';
import type { BatchResult } from '../../../../shared/entities/review.ts';
import type { Language } from '../../../../shared/languages.ts';
import { type FindingCode, finding } from '../../../../shared/package/finding-codes.ts';
import type { PackageBytes } from '../../../../shared/package/splitter.ts';
import { type AppError, isAppError } from '../../../http/errors.ts';
import type { UploadedFile } from '../../files/forms/uploads.ts';
import type { Caller } from '../../people/auth/caller.ts';
import type { Db } from '../../schema.ts';
import { readSnapshot } from '../publish/submission.ts';
import { type PublishDependencies, storeAndSubmit } from '../publish/submit.ts';
import { matchPackages } from './match.ts';
import { prepareItem } from './prepare-item.ts';
import { type Override, type ReadItem, readItem } from './read-item.ts';

/** Context of the import of a batch. */
export type Importing = {
  caller: Caller;
  language: Language;
  dryRun: boolean;
  /** Ids of the packages of this batch so far. */
  ids: Set<string>;
  /** The `media` parts, to which items refer by index. */
  media: readonly UploadedFile[];
  /** Aborts when the client disconnects. */
  signal: AbortSignal;
};

/**
 * Imports one package as a new plugin of the caller, or as a version of one of their plugins, in its own transaction. Errors
 * of the package are returned in the outcome.
 * @throws PUBLISH_LIMIT_REACHED in a dry run
 */
export async function importItem(
  dependencies: PublishDependencies,
  item: PackageBytes,
  override: Override | undefined,
  importing: Importing,
): Promise<Outcome> {
  const { caller, signal } = importing;
  let read: Awaited<ReturnType<typeof readItem>>;
  try {
    dependencies.attempts.consume(caller);
    read = await readItem(dependencies.packages, item, override, { userId: caller.user_id, signal });
  } catch (error) {
    return refusedOutcome(findingsOfError(error, null, importing));
  }
  if ('refused' in read) return refusedOutcome(read.refused);
  warnAboutDuplicateId(read, importing.ids);
  const chosen = override?.plugin_key;
  const key = chosen === undefined ? await ownMatch(dependencies.db, read, importing) : chosen;
  try {
    const snapshot = key === null ? null : await readSnapshot(dependencies, key, caller);
    const prepared = await prepareItem(dependencies, { item, read, snapshot }, importing);
    if ('refused' in prepared) return refusedOutcome(prepared.refused);
    const { plugin_key, version, findings } = await storeAndSubmit(dependencies, prepared, importing);
    return {
      ok: true,
      plugin_key,
      version,
      is_new_version: snapshot !== null,
      errors: [],
      warnings: findings,
    };
  } catch (error) {
    return refusedOutcome([...findingsOfError(error, key, importing), ...read.findings]);
  }
}

function warnAboutDuplicateId({ package: { external_id: id }, findings }: ReadItem, ids: Set<string>): void {
  if (id === null) return;
  if (ids.has(id)) findings.push(finding('DUPLICATE_ID', { pointer: '/manifest/id' }, { id }));
  ids.add(id);
}

/** The plugin of which a package is a version when the caller chose none; null for a new plugin. */
async function ownMatch(db: Db, read: ReadItem, { caller, language }: Importing): Promise<string | null> {
  const { external_id } = read.package;
  if (external_id === null) return null;
  const described = { external_id, names: read.names };
  const [match] = await matchPackages(db, [described], { userId: caller.user_id, language });
  return match?.plugin_key ?? null;
}

/** The result of one item, without its place. */
export type Outcome = Omit<BatchResult, 'file' | 'index'>;

/** Errors about the chosen plugin, with the finding codes that replace them. */
const TARGET_FINDINGS: Readonly<Record<string, FindingCode>> = {
  PLUGIN_NOT_FOUND: 'PLUGIN_UNKNOWN',
  FORBIDDEN: 'PLUGIN_FOREIGN',
};

/** The outcome of a refused item. */
export function refusedOutcome(findings: readonly Finding[]): Outcome {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return { ok: false, errors, warnings: findings.filter((found) => !errors.includes(found)) };
}

/**
 * Converts an error of one item to findings; the import continues with the other items.
 * @param pluginKey the chosen plugin
 * @throws errors that are no AppError; in a dry run PUBLISH_LIMIT_REACHED too, as it says nothing about the package
 */
function findingsOfError(
  error: unknown,
  pluginKey: string | null,
  { dryRun }: Pick<Importing, 'dryRun'>,
): Finding[] {
  if (!isAppError(error) || (dryRun && error.code === 'PUBLISH_LIMIT_REACHED')) throw error;
  const code = pluginKey === null ? undefined : TARGET_FINDINGS[error.code];
  if (code && pluginKey !== null) {
    return [finding(code, { pointer: '/plugin_key' }, { plugin_key: pluginKey })];
  }
  return error.details.length > 0
    ? error.details.map((detail) => ({ ...toFinding(error), ...detail }))
    : [toFinding(error)];
}

function toFinding({ code, message }: AppError): Finding {
  return { code, severity: 'error', pointer: '', message };
}

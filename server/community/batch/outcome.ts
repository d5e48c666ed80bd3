import type { Finding } from '../../../shared/entities/finding.ts';
import type { BatchResult } from '../../../shared/entities/review.ts';
import { type FindingCode, finding } from '../../../shared/package/finding-codes.ts';
import { type AppError, isAppError } from '../../http/errors.ts';

/** What has become of one item, wherever it stood. */
export type Outcome = Omit<BatchResult, 'file' | 'index'>;

/** Errors of a whole call that say something else of one item. */
const TARGET_FAULTS: Readonly<Record<string, FindingCode>> = {
  PLUGIN_NOT_FOUND: 'PLUGIN_UNKNOWN',
  FORBIDDEN: 'PLUGIN_FOREIGN',
};

/** An item that was not taken. */
export function refused(findings: readonly Finding[]): Outcome {
  const errors = findings.filter(({ severity }) => severity === 'error');
  return { ok: false, errors, warnings: findings.filter((found) => !errors.includes(found)) };
}

/**
 * An error met with one item as findings of it; the other items go on.
 * @param pluginKey the plugin it was to become a version of
 * @throws what is no answer to a client
 */
export function findingsOfError(error: unknown, pluginKey: string | null): Finding[] {
  if (!isAppError(error)) throw error;
  const code = pluginKey === null ? undefined : TARGET_FAULTS[error.code];
  if (code && pluginKey !== null) {
    return [finding(code, { pointer: '/plugin_key' }, { plugin_key: pluginKey })];
  }
  return error.details.length > 0
    ? error.details.map((detail) => ({ ...fault(error), ...detail }))
    : [fault(error)];
}

function fault({ code, message }: AppError): Finding {
  return { code, severity: 'error', pointer: '', message };
}

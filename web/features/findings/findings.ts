import type { Finding, Severity } from '../../../shared/entities/finding.ts';
import type { ErrorDetail } from '../../../shared/errors.ts';

/** Errors come first. */
const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];

export type FindingGroup = { severity: Severity; findings: Finding[] };

/** Findings by severity, in their order; a severity without findings is left out. */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  return SEVERITIES.map((severity) => ({
    severity,
    findings: findings.filter((finding) => finding.severity === severity),
  })).filter((group) => group.findings.length > 0);
}

/** A detail of a refused request as a finding: one without a code of its own is shown by its message. */
export function findingOfDetail(detail: ErrorDetail): Finding {
  return { code: 'VALIDATION_FAILED', severity: 'error', ...detail };
}

/** File, line and column as programmers write them: `main.js:12:5`; empty when none is known. */
export function sourcePlace({ file, line, column }: Finding): string {
  if (line === undefined) return file ?? '';
  const at = column === undefined ? `${line}` : `${line}:${column}`;
  return file === undefined ? at : `${file}:${at}`;
}

/** One line for the clipboard: severity, code, place and text. */
export function findingLine(finding: Finding, text: string): string {
  return [finding.severity.toUpperCase(), finding.code, finding.pointer, sourcePlace(finding), text]
    .filter((part) => part !== '')
    .join('  ');
}

import type { Finding, Severity } from '../../../shared/entities/finding.ts';

/** What weighs most comes first. */
export const SEVERITIES: readonly Severity[] = ['error', 'warning', 'notice'];

/** Address at which a finding's place is shown, where there is one. */
export type LinkOf = (finding: Finding) => string | undefined;

export type FindingGroup = { severity: Severity; findings: Finding[] };

/** Findings by how much they weigh, in their order; what there is none of is left out. */
export function findingGroups(findings: readonly Finding[]): FindingGroup[] {
  return SEVERITIES.map((severity) => ({
    severity,
    findings: findings.filter((finding) => finding.severity === severity),
  })).filter((group) => group.findings.length > 0);
}

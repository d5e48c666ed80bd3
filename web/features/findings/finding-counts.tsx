import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { findingGroups } from './finding-groups.ts';
import styles from './findings.module.css';
import { SEVERITY_LOOK } from './severity-look.tsx';

/** How many findings of each weight there are, in short; nothing when there are none. */
export function FindingCounts({ findings }: { findings: readonly Finding[] }) {
  const t = useTranslations('finding.list');
  const groups = findingGroups(findings);
  if (groups.length === 0) return null;
  return (
    <span className={styles.counts}>
      {groups.map(({ severity, findings: those }) => (
        <Badge key={severity} tone={SEVERITY_LOOK[severity].tone}>
          {t(SEVERITY_LOOK[severity].count, { count: those.length })}
        </Badge>
      ))}
    </span>
  );
}

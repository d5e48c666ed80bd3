import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import InfoIcon from 'lucide-react/icons/info';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Finding, Severity } from '../../../shared/entities/finding.ts';
import { Badge, type BadgeTone } from '../../ui/badge/badge.tsx';
import styles from './findings.module.css';
import { findingGroups, useFindingText } from './findings.ts';

type Look = { icon: ReactNode; tone: BadgeTone; count: 'errors' | 'warnings' | 'notices' };

/** The look of each severity, and the text of `finding.list` that counts it. */
export const SEVERITY_LOOK: Readonly<Record<Severity, Look>> = {
  error: { icon: <CircleAlertIcon />, tone: 'negative', count: 'errors' },
  warning: { icon: <TriangleAlertIcon />, tone: 'warning', count: 'warnings' },
  notice: { icon: <InfoIcon />, tone: 'neutral', count: 'notices' },
};

/** The number of findings by severity; nothing when there are none. */
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

const SHOWN = 3;

type FindingSummaryProps = {
  findings: readonly Finding[];
  /** Shown when there are none. */
  none: string;
};

/** The counts by severity, and the texts of the most severe findings. */
export function FindingSummary({ findings, none }: FindingSummaryProps) {
  const t = useTranslations('finding.list');
  const textOf = useFindingText();
  const ordered = findingGroups(findings).flatMap((group) => group.findings);
  if (ordered.length === 0) return <span className={styles.none}>{none}</span>;
  return (
    <div className={styles.summary}>
      <FindingCounts findings={findings} />
      <ul className={styles.heaviest}>
        {ordered.slice(0, SHOWN).map((finding, index) => (
          <li key={`${index} ${finding.code}`}>{textOf(finding)}</li>
        ))}
        {ordered.length > SHOWN && <li>{t('others', { count: ordered.length - SHOWN })}</li>}
      </ul>
    </div>
  );
}

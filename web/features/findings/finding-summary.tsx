import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { FindingCounts } from './finding-counts.tsx';
import { findingGroups } from './finding-groups.ts';
import styles from './findings.module.css';
import { useFindingText } from './use-finding-text.ts';

const SHOWN = 3;

type FindingSummaryProps = {
  findings: readonly Finding[];
  /** What is said when there are none. */
  none: string;
};

/** What a check has found, in short: how many of each weight, and what weighs most in its words. */
export function FindingSummary({ findings, none }: FindingSummaryProps) {
  const t = useTranslations('finding.list');
  const say = useFindingText();
  const heaviest = findingGroups(findings).flatMap((group) => group.findings);
  if (heaviest.length === 0) return <span className={styles.none}>{none}</span>;
  return (
    <div className={styles.summary}>
      <FindingCounts findings={findings} />
      <ul className={styles.heaviest}>
        {heaviest.slice(0, SHOWN).map((finding, place) => (
          <li key={`${place} ${finding.code}`}>{say(finding)}</li>
        ))}
        {heaviest.length > SHOWN && <li>{t('others', { count: heaviest.length - SHOWN })}</li>}
      </ul>
    </div>
  );
}

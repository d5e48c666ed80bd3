import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
import { findingGroups, type LinkOf } from './finding-groups.ts';
import { findingLine } from './finding-line.ts';
import { FindingSection } from './finding-section.tsx';
import styles from './findings.module.css';
import { useFindingText } from './use-finding-text.ts';

type FindingListProps = {
  findings: readonly Finding[];
  /** How many there are of each weight is said beside the list already. */
  isCounted?: boolean;
  linkOf?: LinkOf;
};

/**
 * What a check has found, errors first: each with its place in the file and its pointer, and all of it to be
 * copied as text.
 */
export function FindingList({ findings, isCounted = false, linkOf }: FindingListProps) {
  const t = useTranslations('finding.list');
  const say = useFindingText();
  if (findings.length === 0) return null;
  const groups = findingGroups(findings);
  const asText = (): string =>
    groups
      .flatMap((group) => group.findings)
      .map((finding) => findingLine(finding, say(finding)))
      .join('\n');
  return (
    <div className={styles.list}>
      {groups.map((group) => (
        <FindingSection key={group.severity} group={group} isCounted={isCounted} linkOf={linkOf} />
      ))}
      <CopyButton
        className={styles.copy}
        variant="quiet"
        text={asText}
        labels={{ idle: t('copy'), copied: t('copied'), failed: t('copy_failed') }}
      />
    </div>
  );
}

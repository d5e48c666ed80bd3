import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Finding } from '../../../shared/entities/finding.ts';
import styles from './findings.module.css';
import { useFindingText } from './use-finding-text.ts';

type FindingItemProps = { finding: Finding; icon: ReactNode };

/** One finding: what it says and where it stands. */
export function FindingItem({ finding, icon }: FindingItemProps) {
  const t = useTranslations('finding.list');
  const say = useFindingText();
  const { pointer, file, line, column } = finding;
  return (
    <li className={styles.item}>
      {icon}
      <div className={styles.said}>
        <p className={styles.text}>{say(finding)}</p>
        {(pointer !== '' || file !== undefined || line !== undefined) && (
          <p className={styles.place}>
            {file !== undefined && <code>{file}</code>}
            {line !== undefined && (
              <span>{column === undefined ? t('line', { line }) : t('line_column', { line, column })}</span>
            )}
            {pointer !== '' && <code>{pointer}</code>}
          </p>
        )}
      </div>
    </li>
  );
}

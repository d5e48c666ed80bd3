import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import { FindingList } from '../../../../features/findings/finding-list.tsx';
import { NetworkAccess } from '../../../../features/plugins/detail/network-access.tsx';
import { CheckIcon } from '../../../../ui/icon/action-icons.tsx';
import styles from './review-view.module.css';

/** What the check of the package found, and what the plugin says it reaches. */
export function CheckPanel({ detail: { item, preview } }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  return (
    <>
      {item.findings.length > 0 ? (
        <FindingList findings={item.findings} />
      ) : (
        <p className={styles.fine}>
          <CheckIcon />
          {t('no_findings')}
        </p>
      )}
      <NetworkAccess plugin={preview} />
    </>
  );
}

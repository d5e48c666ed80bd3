import { useTranslations } from 'use-intl';
import type { AuditItem } from '../../../shared/entities/review.ts';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { AlertIcon } from '../../ui/icon/state-icons.tsx';
import styles from './published-card.module.css';

/** Why a reviewer has rejected it, in their words. */
export function RefusalReason({ item: { reason } }: { item: AuditItem }) {
  const t = useTranslations('myPlugins');
  if (reason === null || reason === '') return null;
  return (
    <div className={styles.reason}>
      <AlertIcon size={18} />
      <div>
        <p className={styles.reasonTitle}>{t('reason')}</p>
        <PlainText text={reason} />
      </div>
    </div>
  );
}

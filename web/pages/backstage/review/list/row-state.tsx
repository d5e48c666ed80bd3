import { useTranslations } from 'use-intl';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { useSession } from '../../../../features/session/use-session.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { Person } from '../../frame/person.tsx';
import { claimedByOther } from '../what-it-is.ts';
import styles from './review-list.module.css';

/** Where a submission stands: decided and by whom, who is at it, or that it is the reviewer's own. */
export function RowState({ item }: { item: ReviewItem }) {
  const t = useTranslations('review');
  const me = useSession().user?.user_id;
  const other = claimedByOther(item, me);
  return (
    <span className={styles.state}>
      <StatusBadge status={item.audit_status} />
      {item.decided_by && <Person user={item.decided_by} />}
      {other && (
        <span className={styles.claim}>
          {t.rich('claimed_by', { name: other.nick_name, person: () => <Person user={other} /> })}
        </span>
      )}
      {item.is_own && <span className={styles.claim}>{t(item.is_barred ? 'own_barred' : 'own')}</span>}
      {item.claimed_by && !other && <span className={styles.claim}>{t('claimed_by_me')}</span>}
    </span>
  );
}

import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { AuditItem } from '../../../../../shared/entities/review.ts';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { Badge } from '../../../../ui/badge/badge.tsx';
import styles from './bulk-dialog.module.css';
import type { Verdict } from './decision.ts';
import type { Outcomes } from './use-bulk-decision.ts';

type Props = { items: readonly AuditItem[]; outcomes: Outcomes; verdict: Verdict };

/** The submissions that are decided together, each with what came of it. */
export function BulkList({ items, outcomes, verdict }: Props) {
  const t = useTranslations('review');
  const done = t(verdict === AUDIT_REFUSED ? 'rejected' : 'approved');
  return (
    <ul className={styles.list} aria-label={t('selected_list')}>
      {items.map(({ submission_id, plugin, version }) => {
        const outcome = outcomes.get(submission_id);
        return (
          <li key={submission_id} className={styles.item}>
            <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
            <span className={styles.name}>
              {plugin.name} <span className={styles.version}>{version}</span>
            </span>
            {outcome === 'done' && <Badge tone="positive">{done}</Badge>}
            {outcome && outcome !== 'done' && <span className={styles.problem}>{t(outcome)}</span>}
          </li>
        );
      })}
    </ul>
  );
}

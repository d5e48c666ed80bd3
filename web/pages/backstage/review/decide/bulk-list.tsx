import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { FindingSummary } from '../../../../features/findings/finding-counts.tsx';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { ExternalIcon } from '../../../../ui/icon/way-icons.tsx';
import { ShortText } from '../../../../ui/visually-hidden/short-text.tsx';
import { auditPath } from '../audits-query.ts';
import styles from './bulk-dialog.module.css';
import type { Verdict } from './decision.ts';
import { useProblemText } from './problem.ts';
import type { Outcomes } from './use-bulk-decision.ts';

type Props = {
  items: readonly ReviewItem[];
  /** What of them is chosen. */
  ids: ReadonlySet<number>;
  outcomes: Outcomes;
  verdict: Verdict;
  /** Undefined once it is decided. */
  onToggle: ((item: ReviewItem) => void) | undefined;
};

/** The submissions that are decided together, each with what the check found in it and what came of it. */
export function BulkList({ items, ids, outcomes, verdict, onToggle }: Props) {
  const t = useTranslations('review');
  const say = useProblemText();
  const locale = useLocale();
  const done = t(verdict === AUDIT_REFUSED ? 'rejected' : 'approved');
  return (
    <ul className={styles.list} aria-label={t('selected_list')}>
      {items.map((item) => {
        const { submission_id, plugin, version, findings, is_own, is_barred, is_opened } = item;
        const outcome = outcomes.get(submission_id);
        const lang = plugin.lang === locale ? undefined : plugin.lang;
        return (
          <li key={submission_id} className={styles.item}>
            {onToggle && (
              <Checkbox
                label={t('select_named', { name: plugin.name })}
                hideLabel
                checked={ids.has(submission_id)}
                disabled={is_barred}
                onChange={() => onToggle(item)}
              />
            )}
            <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
            <div className={styles.what}>
              <span className={styles.name}>
                <span lang={lang}>{plugin.name}</span> <span className={styles.version}>{version}</span>
                {is_own && <Badge>{t('own')}</Badge>}
                {!is_opened && !is_barred && <Badge tone="warning">{t('not_opened')}</Badge>}
                {outcome === 'done' && <Badge tone="positive">{done}</Badge>}
              </span>
              {is_barred && <span className={styles.note}>{t('own_barred')}</span>}
              {outcome && outcome !== 'done' && <span className={styles.problem}>{say(outcome)}</span>}
              {onToggle && <FindingSummary findings={findings} none={t('no_findings')} />}
            </div>
            {onToggle && (
              <Link className={styles.open} to={auditPath(item, '')} target="_blank">
                <ShortText full={t('open_named', { name: plugin.name })}>{t('key_open')}</ShortText>
                <ExternalIcon />
              </Link>
            )}
          </li>
        );
      })}
    </ul>
  );
}

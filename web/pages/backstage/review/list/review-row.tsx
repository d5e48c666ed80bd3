import { Link, useLocation } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { FindingCounts } from '../../../../features/findings/finding-counts.tsx';
import { PluginIcon } from '../../../../features/plugins/plugin-icon.tsx';
import { Badge } from '../../../../ui/badge/badge.tsx';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { Person } from '../../frame/person.tsx';
import { auditPath } from '../audits-query.ts';
import { TimeSince } from '../time-since.tsx';
import { whatItIs } from '../what-it-is.ts';
import styles from './review-list.module.css';
import { RowState } from './row-state.tsx';
import { ROW_LINK } from './use-rows.ts';

type Props = {
  item: ReviewItem;
  /** The row, or something in it, got the focus. */
  onVisit: () => void;
  box: false | { isSelected: boolean; isDisabled: boolean; onToggle: () => void };
};

/** One submission of the list. */
export function ReviewRow({ item, onVisit, box }: Props) {
  const t = useTranslations('review');
  const locale = useLocale();
  const { search } = useLocation();
  const { plugin, version, submitted_at, findings } = item;
  const isSelected = box ? box.isSelected : false;
  return (
    <tr aria-selected={isSelected ? true : undefined} className={styles.row} onFocus={onVisit}>
      {box && (
        <td className={styles.box}>
          <Checkbox
            label={t('select_named', { name: plugin.name })}
            hideLabel
            checked={box.isSelected}
            disabled={box.isDisabled}
            onChange={box.onToggle}
          />
        </td>
      )}
      <th scope="row">
        <div className={styles.plugin}>
          <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
          <div className={styles.texts}>
            <Link
              className={styles.name}
              to={auditPath(item, search)}
              lang={plugin.lang === locale ? undefined : plugin.lang}
              {...{ [ROW_LINK]: true }}
            >
              {plugin.name}
            </Link>
            <span className={styles.line}>
              {version}
              <Badge>{t(whatItIs(item))}</Badge>
            </span>
          </div>
        </div>
      </th>
      <td data-label={t('publisher')}>
        <Person user={plugin.publisher} />
      </td>
      <td data-label={t('handed_in')}>
        <TimeSince at={submitted_at} />
      </td>
      <td data-label={t('findings')}>
        {findings.length > 0 ? (
          <FindingCounts findings={findings} />
        ) : (
          <span className={styles.none}>{t('no_findings_short')}</span>
        )}
      </td>
      <td data-label={t('state')}>
        <RowState item={item} />
      </td>
    </tr>
  );
}

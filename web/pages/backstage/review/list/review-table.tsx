import { useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { FindingCounts } from '../../../../features/findings/finding-counts.tsx';
import { useLastSession } from '../../../../features/session/use-session.ts';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { Table } from '../../../../ui/table/table.tsx';
import type { StatusName } from '../../filters/list-filter.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { ElapsedTime } from '../../frame/date-time.tsx';
import { PluginCell } from '../../frame/plugin-cell.tsx';
import { UserLabel } from '../../frame/user-label.tsx';
import { auditPath } from '../audits-query.ts';
import { otherReviewer, submissionKind } from '../submission.ts';
import styles from './review-list.module.css';
import type { Selection } from './selection-bar.tsx';

/** Lists with pending submissions. */
const SELECTABLE: readonly StatusName[] = ['all', 'unaudited'];

type Props = {
  items: readonly ReviewItem[];
  busy: boolean;
  status: StatusName;
  selection: Selection;
  onVisit: (submissionId: number) => void;
};

export function ReviewTable({ items, busy, status, selection, onVisit }: Props) {
  const t = useTranslations('review');
  const { selectable, selected, isSelected, leftOut, toggle, toggleAll } = selection;
  const isWhole = selectable.length > 0 && selected.length === selectable.length;
  const hasBoxes = SELECTABLE.includes(status);
  return (
    <Table caption={t('title')} hideCaption busy={busy} width="wide" className={styles.table ?? ''}>
      <thead>
        <tr>
          {hasBoxes && (
            <td className={styles.box}>
              <Checkbox
                label={t('select_all')}
                hideLabel
                checked={isWhole}
                indeterminate={!isWhole && selected.length + leftOut.length > 0}
                disabled={selectable.length === 0}
                onChange={toggleAll}
              />
            </td>
          )}
          <th scope="col">{t('plugin')}</th>
          <th scope="col">{t('publisher')}</th>
          <th scope="col">{t(status === 'unaudited' ? 'waiting_since' : 'submitted_at')}</th>
          <th scope="col">{t('findings')}</th>
          <th scope="col">{t('state')}</th>
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <ReviewRow
            key={item.submission_id}
            item={item}
            onVisit={() => onVisit(item.submission_id)}
            box={
              hasBoxes && {
                isSelected: isSelected(item),
                isDisabled: !selectable.includes(item),
                onToggle: () => toggle(item),
              }
            }
          />
        ))}
      </tbody>
    </Table>
  );
}

type ReviewRowProps = {
  item: ReviewItem;
  /** The row, or an element in it, got focus. */
  onVisit: () => void;
  box: false | { isSelected: boolean; isDisabled: boolean; onToggle: () => void };
};

/** One submission of the list. */
function ReviewRow({ item, onVisit, box }: ReviewRowProps) {
  const t = useTranslations('review');
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
        <PluginCell
          plugin={plugin}
          link={{ to: auditPath(item, search), [ROW_LINK]: true }}
          facts={
            <>
              {version}
              <span>{t(submissionKind(item))}</span>
            </>
          }
        />
      </th>
      <td data-label={t('publisher')}>
        <UserLabel user={plugin.publisher} />
      </td>
      <td data-label={t('submitted_at')}>
        <ElapsedTime at={submitted_at} />
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

/** State of a submission: decided and by whom, claimed by whom, or the reviewer's own. */
function RowState({ item }: { item: ReviewItem }) {
  const t = useTranslations('review');
  const me = useLastSession().user?.user_id;
  const other = otherReviewer(item, me);
  return (
    <span className={styles.state}>
      <StatusBadge status={item.audit_status} />
      {item.decided_by && <UserLabel user={item.decided_by} />}
      {other && (
        <span className={styles.claim}>
          {t.rich('claimed_by', { name: other.nick_name, person: () => <UserLabel user={other} /> })}
        </span>
      )}
      {item.is_own && <span className={styles.claim}>{t(item.is_barred ? 'own_barred' : 'own')}</span>}
      {item.claimed_by && !other && <span className={styles.claim}>{t('claimed_by_me')}</span>}
    </span>
  );
}

/** Attribute of the link that opens a row. */
const ROW_LINK = 'data-row-link';

/** The current row of a list: the focused one, or the last one that had focus. */
export function useRows(ids: readonly number[], onEnd: () => void) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number>();
  const index = current === undefined ? -1 : ids.indexOf(current);
  const move = (step: 1 | -1): void => {
    const next = Math.max(0, index + step);
    if (next >= ids.length) onEnd();
    const link = list.current?.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`)[next];
    link?.focus({ preventScroll: true });
    link?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  return { list, current: ids[index], setCurrent, move };
}

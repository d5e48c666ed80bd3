import { useTranslations } from 'use-intl';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { Checkbox } from '../../../../ui/checkbox/checkbox.tsx';
import { Table } from '../../../../ui/table/table.tsx';
import type { StatusName } from '../../filters/list-filter.ts';
import styles from './review-list.module.css';
import { ReviewRow } from './review-row.tsx';
import type { Selection } from './use-selection.ts';

/** Lists in which something may wait. */
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
          <th scope="col">{t(status === 'unaudited' ? 'waiting_since' : 'handed_in')}</th>
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

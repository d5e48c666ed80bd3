import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_WAITING } from '../../../../../shared/constants.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import { isDecidable } from '../submission.ts';
import styles from './review-list.module.css';

type Props = {
  count: number;
  /** Number left out because they were never opened. */
  leftOut: number;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
};

/** Actions for the selection; sticky at the bottom of the window. */
export function SelectionBar({ count, leftOut, onApprove, onReject, onClear }: Props) {
  const t = useTranslations('review');
  const isVisible = count + leftOut > 0;
  return (
    <div className={styles.barPlace}>
      <div className={classNames(isVisible && styles.bar)}>
        <span className={styles.selected} role="status">
          {isVisible && t('selected', { count })}
          {leftOut > 0 && <span className={styles.leftOut}>{t('left_out', { count: leftOut })}</span>}
        </span>
        {isVisible && (
          <>
            <Button variant="quiet" size="s" onClick={onClear}>
              {t('clear_selection')}
            </Button>
            <Button variant="outline" size="s" onClick={onReject}>
              {t('reject')}
            </Button>
            <Button variant="primary" size="s" onClick={onApprove}>
              {t('approve')}
            </Button>
          </>
        )}
      </div>
    </div>
  );
}

/**
 * The selection of a list; items that can't be decided any more are removed. Submissions that the reviewer has never
 * opened can only be selected one by one: "select all" skips them.
 */
export function useSelection(items: readonly ReviewItem[], me: number | undefined) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const [isAll, setIsAll] = useState(false);
  const selectable = items.filter((item) => isDecidable(item, me));
  const selected = selectable.filter(({ submission_id }) => ids.has(submission_id));
  const isSelected = (item: ReviewItem): boolean => selected.includes(item);
  const toggle = ({ submission_id }: ReviewItem): void =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(submission_id)) next.add(submission_id);
      return next;
    });
  const clear = (): void => {
    setIds(new Set());
    setIsAll(false);
  };
  const opened = selectable.filter(({ is_opened }) => is_opened);
  const isWhole = isAll && opened.every(isSelected);
  const toggleAll = (): void => {
    setIds(new Set(isWhole ? [] : [...selected, ...opened].map(({ submission_id }) => submission_id)));
    setIsAll(!isWhole);
  };
  return {
    selectable,
    selected,
    isSelected,
    /** Skipped by "select all" because they were never opened. */
    leftOut: isAll ? selectable.filter((item) => !item.is_opened && !isSelected(item)) : [],
    /** The reviewer's own submissions, skipped by "select all". */
    barred: isAll
      ? items.filter(({ is_barred, audit_status }) => is_barred && audit_status === AUDIT_WAITING)
      : [],
    toggle,
    toggleAll,
    clear,
  };
}

export type Selection = ReturnType<typeof useSelection>;

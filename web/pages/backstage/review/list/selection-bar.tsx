import { useTranslations } from 'use-intl';
import { Button } from '../../../../ui/button/button.tsx';
import { classNames } from '../../../../ui/class-names.ts';
import styles from './review-list.module.css';

type Props = {
  count: number;
  /** How many were left out because they were never opened. */
  leftOut: number;
  onApprove: () => void;
  onReject: () => void;
  onClear: () => void;
};

/** What can be done with what is selected; stays in sight at the foot of the window. */
export function SelectionBar({ count, leftOut, onApprove, onReject, onClear }: Props) {
  const t = useTranslations('review');
  const isThere = count + leftOut > 0;
  return (
    <div className={styles.barPlace}>
      <div className={classNames(isThere && styles.bar)}>
        <span className={styles.selected} role="status">
          {isThere && t('selected', { count })}
          {leftOut > 0 && <span className={styles.leftOut}>{t('left_out', { count: leftOut })}</span>}
        </span>
        {isThere && (
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

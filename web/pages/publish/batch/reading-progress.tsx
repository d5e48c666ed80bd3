import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { Progress } from '../../../ui/progress/progress.tsx';
import styles from './batch.module.css';

type ReadingProgressProps = { progress: number; onCancel: () => void };

/** How far the reading of files has come. */
export function ReadingProgress({ progress, onCancel }: ReadingProgressProps) {
  const t = useTranslations('batch');
  return (
    <div className={styles.reading}>
      <div className={styles.grow}>
        <Progress label={t('reading')} value={progress} />
      </div>
      <Button variant="outline" size="s" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}

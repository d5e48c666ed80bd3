import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { FormAlert } from '../form-alert.tsx';
import styles from './reset-page.module.css';

/** The link does not work any more, and how to get another. */
export function LinkOver({ onAgain }: { onAgain: () => void }) {
  const t = useTranslations('signIn');
  return (
    <div className={styles.form}>
      <FormAlert text={t('reset_link_over')} />
      <Button variant="primary" size="l" onClick={onAgain}>
        {t('reset_forgot')}
      </Button>
    </div>
  );
}

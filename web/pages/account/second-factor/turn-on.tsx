import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { errorText } from '../../../api/error-text.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import styles from './second-factor-section.module.css';
import { useBegin } from './use-own-second-factor.ts';

/** Drawing the picture for the app takes code that nobody else needs. */
const SetUpForm = lazy(() => import('./set-up-form.tsx').then((module) => ({ default: module.SetUpForm })));

/** The second factor is off: a button, and what it leads to. */
export function TurnOn() {
  const t = useTranslations();
  const { data, error, isPending, mutate, reset } = useBegin();
  if (data)
    return (
      <Suspense fallback={<Skeleton shape="block" className={styles.place} />}>
        <SetUpForm setUp={data} onCancel={reset} />
      </Suspense>
    );
  return (
    <div className={styles.panel}>
      {error && (
        <p className={styles.problem} role="alert">
          {t(`error.${errorText(error)}`)}
        </p>
      )}
      <div className={styles.actions}>
        <Button variant="primary" busy={isPending} onClick={() => mutate()}>
          {t('account.second_factor_turn_on')}
        </Button>
      </div>
    </div>
  );
}

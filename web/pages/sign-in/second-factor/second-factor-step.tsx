import { lazy, Suspense } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { Spinner } from '../../../ui/spinner/spinner.tsx';
import pageStyles from '../sign-in-page.module.css';
import { CodeStep, type StepProps } from './code-step.tsx';
import styles from './second-factor-step.module.css';

/** Few people ever set one up here, and drawing its picture takes code that the others need not load. */
const EnrolStep = lazy(() => import('./enrol-step.tsx').then((module) => ({ default: module.EnrolStep })));

/** The step after the password. */
export function SecondFactorStep(step: StepProps) {
  const t = useTranslations('signIn');
  const { challenge, onEnded } = step;
  const back = (
    <Button variant="quiet" onClick={() => onEnded()}>
      {t('second_factor_back')}
    </Button>
  );
  return (
    <>
      <h1 className={pageStyles.title}>{t('second_factor_title')}</h1>
      {challenge.kind === 'code' ? (
        <CodeStep {...step}>{back}</CodeStep>
      ) : (
        <Suspense fallback={<Spinner />}>
          <EnrolStep {...step}>
            <div className={styles.more}>{back}</div>
          </EnrolStep>
        </Suspense>
      )}
    </>
  );
}

import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { Challenge } from '../../../../shared/routes/sign-in.ts';
import { Button } from '../../../ui/button/button.tsx';
import pageStyles from '../sign-in-page.module.css';
import type { SignInParameters } from '../sign-in-parameters.ts';
import { CodeForm } from './code-form.tsx';
import type { Ended } from './ended.ts';
import styles from './second-factor-step.module.css';
import { usePass } from './use-second-factor.ts';

export type StepProps = {
  challenge: Challenge;
  parameters: SignInParameters;
  /** The sign-in has to begin again, for a reason or because the user wants it to. */
  onEnded: (why?: Ended) => void;
};

/** Asks for the code of the app, or for a recovery code. `children` are further ways on. */
export function CodeStep({ challenge: { token }, children, ...means }: StepProps & { children: ReactNode }) {
  const t = useTranslations('signIn');
  const [kind, setKind] = useState<'app' | 'recovery'>('app');
  const pass = usePass({ token, ...means });
  const isApp = kind === 'app';
  const change = (): void => {
    setKind(isApp ? 'recovery' : 'app');
    pass.reset();
  };
  return (
    <>
      <p className={pageStyles.other}>{t(isApp ? 'second_factor_text' : 'second_factor_recovery_text')}</p>
      <CodeForm key={kind} kind={kind} attempt={pass} onCode={(code) => pass.mutate(code)} />
      <div className={styles.more}>
        <Button variant="quiet" onClick={change} disabled={pass.isPending || pass.isSuccess}>
          {t(isApp ? 'second_factor_to_recovery' : 'second_factor_to_app')}
        </Button>
        {children}
      </div>
    </>
  );
}

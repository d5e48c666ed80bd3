import type { FormEvent, ReactNode } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../shared/entities/proof.ts';
import type { ApiError } from '../../api/api-error.ts';
import { ProofField } from '../../features/second-factor/proof-field.tsx';
import { useProof } from '../../features/second-factor/use-proof.ts';
import { signInUrl } from '../../features/session/sign-in-url.ts';
import { useIsHydrated } from '../../layout/use-is-hydrated.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import plain from '../sign-in/plain-page.module.css';
import styles from './bind-page.module.css';

type BindConfirmProps = {
  /** How the person proves again who they are; undefined where nothing can be bound. */
  proof: Proof | undefined;
  attempt: {
    error: ApiError | null;
    isPending: boolean;
    reset: () => void;
    mutate: (proof: TypedProof) => void;
  };
  isAgain: boolean;
  /** The way out. */
  leave: ReactNode;
};

/** Has the person prove again who they are, and confirm. */
export function BindConfirm({ proof, attempt, isAgain, leave }: BindConfirmProps) {
  const t = useTranslations();
  const isHydrated = useIsHydrated();
  const { pathname, search } = useLocation();
  const typed = useProof(proof ?? 'none', attempt);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!attempt.isPending && typed.check()) attempt.mutate(typed.typed());
  };
  if (proof === undefined || proof === 'sign_in')
    return (
      <>
        {proof && <p className={plain.text}>{t('proof.sign_in_text')}</p>}
        <div className={styles.actions}>
          {proof && (
            <a
              className={buttonClass({ variant: 'primary', size: 'l' })}
              href={signInUrl(`${pathname}${search}`)}
            >
              {t('proof.sign_in')}
            </a>
          )}
          {leave}
        </div>
      </>
    );
  return (
    <form className={styles.form} method="post" noValidate onSubmit={submit}>
      <ProofField proof={proof} value={typed.value} onValueChange={typed.change} error={typed.wrong} />
      <div className={styles.actions}>
        {/* A press before the page is hydrated would be lost. */}
        <Button type="submit" variant="primary" size="l" disabled={!isHydrated} busy={attempt.isPending}>
          {t(isAgain ? 'bind.again' : 'bind.confirm')}
        </Button>
        {leave}
      </div>
    </form>
  );
}

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../shared/entities/sign-in.ts';
import type { ApiError } from '../../api/api-error.ts';
import { errorText } from '../../api/error-text.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { leavePage } from '../../loading/connection.ts';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { signInUrl } from '../session/index.ts';
import { ProofField, useProof } from './code-field.tsx';

type ProofDialogProps = {
  /** Undefined while unknown. */
  proof: Proof | undefined;
  /** The action, as a mutation. */
  attempt: {
    error: ApiError | null;
    /** Text of the error, if it has its own; others have a general one. */
    failure?: string | undefined;
    isPending: boolean;
    mutate: (typed: TypedProof) => void;
    reset: () => void;
  };
  title: string;
  children: ReactNode;
  confirmLabel: string;
  tone?: 'normal' | 'danger';
  /** Checks the form among `children` before the action. */
  submit?: (send: () => void) => void;
  onClose: () => void;
};

/**
 * The viewer's reauthentication; undefined while unknown. User services other than ours have none, and if it can't be read, the
 * action itself tells.
 */
export function useOwnProof(): Proof | undefined {
  const { data, isError } = useQuery(queryOptionsOf('readProof', {}, { staleTime: 0 }));
  return data?.proof ?? (isError ? 'none' : undefined);
}

/** Confirms an action with a reauthentication, or leads to a new sign-in if only that is enough. */
export function ProofDialog({
  proof: known,
  attempt,
  children,
  confirmLabel,
  tone = 'normal',
  submit = (send) => send(),
  ...dialog
}: ProofDialogProps) {
  const t = useTranslations();
  const { pathname, search } = useLocation();
  const proof = known ?? 'none';
  const typed = useProof(proof, attempt);
  const mustSignIn = proof === 'sign_in';
  /** Confirmed before it was known what proves it. */
  const [isEarly, setEarly] = useState(false);
  const confirm = (): void => {
    if (mustSignIn) leavePage(() => location.assign(signInUrl(pathname + search)));
    else if (known === undefined) setEarly(true);
    else if (!attempt.isPending) {
      const isProved = typed.check();
      submit(() => isProved && attempt.mutate(typed.typed()));
    }
  };
  const isKnown = known !== undefined;
  const confirmLate = useEffectEvent(() => {
    setEarly(false);
    if (!mustSignIn) confirm();
  });
  useEffect(() => {
    if (isEarly && isKnown) confirmLate();
  }, [isEarly, isKnown]);
  const textOf = (error: ApiError): string | undefined => {
    const isAsked = error.reason === 'REAUTHENTICATION_REQUIRED' && proof !== 'none';
    if (typed.wrong !== undefined || isAsked) return undefined;
    return attempt.failure ?? t(`error.${errorText(error)}`);
  };
  return (
    <ConfirmDialog
      {...dialog}
      open
      confirmLabel={mustSignIn ? t('proof.sign_in') : confirmLabel}
      tone={mustSignIn ? 'normal' : tone}
      busy={attempt.isPending}
      isReady={!isEarly}
      error={attempt.error ? textOf(attempt.error) : undefined}
      onConfirm={confirm}
    >
      {mustSignIn ? <p>{t('proof.sign_in_text')}</p> : children}
      <ProofField
        proof={proof}
        value={typed.value}
        onValueChange={typed.change}
        error={typed.wrong}
        onEnter={confirm}
      />
    </ConfirmDialog>
  );
}

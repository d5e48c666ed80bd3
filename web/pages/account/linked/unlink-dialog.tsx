import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useLocation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../../shared/entities/proof.ts';
import type { LinkedSignIn } from '../../../../shared/routes/linked-sign-in.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { errorText } from '../../../api/error-text.ts';
import { queryKeyOf } from '../../../api/queries.ts';
import { ProofField } from '../../../features/second-factor/proof-field.tsx';
import { useProof } from '../../../features/second-factor/use-proof.ts';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { nameOf, useServiceName } from './linked-row.tsx';

type UnlinkDialogProps = { linked: LinkedSignIn; proof: Proof; onClose: () => void };

/** Has the viewer prove again who they are, then unlinks an account elsewhere; one that is gone already is as good. */
export function UnlinkDialog({ linked, proof, onClose }: UnlinkDialogProps) {
  const t = useTranslations();
  const toast = useToast();
  const client = useQueryClient();
  const service = useServiceName();
  const { pathname } = useLocation();
  const attempt = useMutation({
    mutationFn: (typed: TypedProof) => call('removeLinkedSignIn', { link_id: linked.link_id, ...typed }),
    onSuccess: () => {
      toast({ kind: 'success', text: t('account.linked_removed') });
      onClose();
    },
    onSettled: () => client.invalidateQueries({ queryKey: queryKeyOf('listLinkedSignIns', {}) }),
  });
  const typed = useProof(proof, attempt);
  const mustSignIn = proof === 'sign_in';
  const confirm = (): void => {
    if (mustSignIn) location.assign(signInUrl(pathname));
    else if (!attempt.isPending && typed.check()) attempt.mutate(typed.typed());
  };
  const failure = (error: ApiError): string | undefined => {
    if (typed.wrong !== undefined || error.reason === 'REAUTHENTICATION_REQUIRED') return undefined;
    return error.reason === 'LAST_SIGN_IN' ? t('account.linked_last') : t(`error.${errorText(error)}`);
  };
  return (
    <ConfirmDialog
      open
      title={t('account.linked_remove_title', { name: nameOf(linked) ?? service(linked) })}
      confirmLabel={t(mustSignIn ? 'proof.sign_in' : 'account.linked_remove')}
      cancelLabel={t('account.session_cancel')}
      tone={mustSignIn ? 'normal' : 'danger'}
      busy={attempt.isPending}
      error={attempt.error ? failure(attempt.error) : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{t(mustSignIn ? 'proof.sign_in_text' : 'account.linked_remove_text')}</p>
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

import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { DELETE_ACCOUNT_PATH } from '../../../../shared/constants.ts';
import type { TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { UserInfo } from '../../../../shared/entities/user.ts';
import type { OwnDeletion, PluginsAfter } from '../../../../shared/routes/account.ts';
import type { DataFor } from '../../../api/client.ts';
import { putNewerData, SESSION_KEY } from '../../../api/query-client.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ProofField, useProof } from '../../../features/second-factor/code-field.tsx';
import { signInUrl } from '../../../features/session/sign-in-url.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useMailLanguage } from '../address-section.tsx';

export type Done = DataFor<'deleteAccount'>;

type ConfirmProps = {
  user: UserInfo;
  deletion: OwnDeletion;
  plugins: PluginsAfter;
  onClose: () => void;
  onDone: (done: Done) => void;
};

const NOBODY: DataFor<'readSession'> = {
  ...{ signed_in: false, user: null, role: null },
  ...{ login_method: null, expires_at: null },
};

/** Confirmation by typing one's own name, and reauthentication. */
export function Confirm({ user, deletion: { proof, delay }, plugins, onClose, onDone }: ConfirmProps) {
  const t = useTranslations();
  const client = useQueryClient();
  const language = useMailLanguage();
  const [name, setName] = useState('');
  const [showErrors, setShowErrors] = useState(false);
  const payloadOf = (typed: TypedProof) => ({ nick_name: name.trim(), plugins, language, ...typed });
  const attempt = useOperation('deleteAccount', payloadOf, {
    errorMessages: {
      LAST_SUPER_ADMIN: t('account.delete_refused_admin'),
      LAST_OWNER: t('account.delete_refused_owner'),
    },
    onSuccess: (done) => {
      onDone(done);
      return putNewerData(client, SESSION_KEY, NOBODY);
    },
  });
  const typed = useProof(proof, attempt);
  const isOther = name.trim() !== user.nick_name.trim();
  const mustSignIn = proof === 'sign_in';
  const confirm = (): void => {
    if (mustSignIn) {
      location.assign(signInUrl(DELETE_ACCOUNT_PATH));
      return;
    }
    setShowErrors(isOther);
    if (typed.check() && !isOther && !attempt.isPending) attempt.mutate(typed.typed());
  };
  const words = delay > 0 ? t('account.delete_confirm_later') : t('account.delete_when_now');
  return (
    <ConfirmDialog
      open
      title={t('account.delete_confirm_title')}
      confirmLabel={t(mustSignIn ? 'proof.sign_in' : 'account.delete_submit')}
      tone={mustSignIn ? 'normal' : 'danger'}
      busy={attempt.isPending}
      error={typed.wrong === undefined ? attempt.failure : undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>{mustSignIn ? t('proof.sign_in_text') : words}</p>
      {!mustSignIn && (
        <TextField
          label={t('account.delete_name', { name: user.nick_name })}
          name="confirm_name"
          autoComplete="off"
          value={name}
          onValueChange={(value) => {
            setName(value);
            setShowErrors(false);
          }}
          onEnter={confirm}
          error={showErrors && isOther ? t('account.delete_name_wrong') : undefined}
          required
        />
      )}
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

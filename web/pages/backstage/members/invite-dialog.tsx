import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import { isMailAddress } from '../../../../shared/mail-address.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { HandedLink } from './handed-link.tsx';

type Props = {
  /** The viewer's reauthentication. */
  proof: Proof;
  onClose: () => void;
};

/** Creates an account for somebody, and shows the link for its password once. */
export function InviteDialog({ proof, onClose }: Props) {
  const t = useTranslations('members');
  const { control, getValues, handleSubmit } = useForm({ defaultValues: { email: '', nick_name: '' } });
  const attempt = useOperation(
    'inviteMember',
    (typed: TypedProof) => {
      const { email, nick_name } = getValues();
      return { email: email.trim(), nick_name: nick_name.trim(), ...typed };
    },
    // The link isn't cached after the dialog has closed.
    { errorMessages: { ACCOUNT_EXISTS: t('invite_taken') }, gcTime: 0 },
  );
  const { data } = attempt;
  return (
    <>
      {!data && (
        <ProofDialog
          proof={proof}
          attempt={attempt}
          title={t('invite_title')}
          confirmLabel={t('invite_make')}
          submit={(send) => void handleSubmit(send)()}
          onClose={onClose}
        >
          <p>{t('invite_text')}</p>
          <FormTextField
            control={control}
            name="nick_name"
            check={(name) => (isVisible(name) ? undefined : t('invite_name_missing'))}
            label={t('invite_name')}
            maxLength={40}
            autoComplete="off"
          />
          <FormTextField
            control={control}
            name="email"
            type="email"
            check={(email) => (isMailAddress(email.trim()) ? undefined : t('invite_email_wrong'))}
            label={t('invite_email')}
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
          />
        </ProofDialog>
      )}
      <HandedLink
        title={t('invite_title')}
        text={t('invite_made', { name: data?.member.nick_name ?? '' })}
        handed={data}
        onClose={onClose}
      />
    </>
  );
}

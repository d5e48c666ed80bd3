import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Proof } from '../../../../shared/entities/sign-in.ts';
import { isMailAddress } from '../../../../shared/mail-address.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import type { ApiError } from '../../../api/api-error.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { HandedLink } from './handed-link.tsx';
import { useMemberChange } from './member-dialogs.tsx';

type Props = {
  /** The viewer's reauthentication. */
  proof: Proof;
  onClose: () => void;
};

/** Creates an account for somebody, and shows the link for its password once. */
export function InviteDialog({ proof, onClose }: Props) {
  const t = useTranslations('members');
  const { control, getValues, handleSubmit } = useForm({ defaultValues: { email: '', nick_name: '' } });
  const attempt = useMemberChange((typed) => {
    const { email, nick_name } = getValues();
    return ['inviteMember', { email: email.trim(), nick_name: nick_name.trim(), ...typed }];
  });
  const { data } = attempt;
  const failure = ({ reason }: ApiError): string | undefined =>
    reason === 'ACCOUNT_EXISTS' ? t('invite_taken') : undefined;
  return (
    <>
      {!data && (
        <ProofDialog
          proof={proof}
          attempt={attempt}
          title={t('invite_title')}
          confirmLabel={t('invite_make')}
          cancelLabel={t('cancel')}
          failure={failure}
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

import { useTranslations } from 'use-intl';
import { CodeDialog } from './code-dialog.tsx';
import { useRenew } from './use-own-second-factor.ts';

type RenewDialogProps = { onCodes: (codes: string[]) => void; onClose: () => void };

/** Asks for a code, then hands over new recovery codes. */
export function RenewDialog({ onCodes, onClose }: RenewDialogProps) {
  const t = useTranslations('account');
  return (
    <CodeDialog
      title={t('second_factor_renew_title')}
      text={t('second_factor_renew_text')}
      confirmLabel={t('second_factor_renew')}
      attempt={useRenew(onCodes)}
      onClose={onClose}
    />
  );
}

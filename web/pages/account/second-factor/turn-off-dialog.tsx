import { useTranslations } from 'use-intl';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { CodeDialog } from './code-dialog.tsx';
import { useRemove } from './use-own-second-factor.ts';

/** Asks for a code, then turns the second factor off. */
export function TurnOffDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations('account');
  const toast = useToast();
  const remove = useRemove(() => toast({ kind: 'success', text: t('second_factor_turned_off') }));
  return (
    <CodeDialog
      title={t('second_factor_off_title')}
      text={t('second_factor_off_text')}
      confirmLabel={t('second_factor_turn_off')}
      tone="danger"
      attempt={remove}
      onClose={onClose}
    />
  );
}

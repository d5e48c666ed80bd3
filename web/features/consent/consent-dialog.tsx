import { useTranslations } from 'use-intl';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ConsentForm } from './consent-form.tsx';

type Props = {
  open: boolean;
  onClose: () => void;
  /** After a decision, when the dialog has closed itself. */
  onSaved?: () => void;
};

/** The two kinds of cookies, and the choice of the one that can be chosen. */
export function ConsentDialog({ open, onClose, onSaved }: Props) {
  const t = useTranslations('consent');
  const close = (): void => {
    onClose();
    onSaved?.();
  };
  return (
    <Dialog open={open} onClose={onClose} title={t('settings')} closeLabel={t('close')}>
      <ConsentForm onSaved={close} />
    </Dialog>
  );
}

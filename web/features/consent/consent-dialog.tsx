import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { Switch } from '../../ui/switch/switch.tsx';
import { decideConsent, useConsent } from './consent.ts';
import styles from './consent-form.module.css';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Called after a decision, once the dialog has closed. */
  onSaved?: () => void;
};

/** Both kinds of cookies; the optional one can be switched. */
export function ConsentDialog({ open, onClose, onSaved }: Props) {
  const t = useTranslations('consent');
  const common = useTranslations('common');
  const close = (): void => {
    onClose();
    onSaved?.();
  };
  return (
    <Dialog open={open} onClose={onClose} isDirty={false} title={t('settings')} closeLabel={common('close')}>
      <ConsentForm onSaved={close} />
    </Dialog>
  );
}

/** Describes each kind of cookies; changes take effect when saved. */
function ConsentForm({ onSaved }: { onSaved: () => void }) {
  const t = useTranslations('consent');
  const common = useTranslations('common');
  const consent = useConsent();
  const [withMarketing, setWithMarketing] = useState(consent === 'marketing');
  const save = (): void => {
    decideConsent(withMarketing ? 'marketing' : 'necessary');
    onSaved();
  };
  return (
    <>
      <p className={styles.intro}>{t('dialog_text')}</p>
      <ul className={styles.kinds}>
        <li className={styles.kind}>
          <div className={styles.head}>
            <h3 className={styles.name}>{t('necessary')}</h3>
            <Badge tone="positive">{t('always_active')}</Badge>
          </div>
          <p className={styles.text}>{t('necessary_text')}</p>
        </li>
        <li className={styles.kind}>
          <div className={styles.head}>
            <h3 className={styles.name}>{t('marketing')}</h3>
            <Switch label={t('marketing')} hideLabel checked={withMarketing} onChange={setWithMarketing} />
          </div>
          <p className={styles.text}>{t('marketing_text')}</p>
        </li>
      </ul>
      <div className={styles.actions}>
        <Button variant="primary" size="l" onClick={save}>
          {common('save')}
        </Button>
      </div>
    </>
  );
}

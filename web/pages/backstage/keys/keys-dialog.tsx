import { useTranslations } from 'use-intl';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import styles from './keys.module.css';

type Props = {
  open: boolean;
  onClose: () => void;
  /** Keys and what each does here. */
  keys: readonly { key: string; text: string }[];
  wanted: boolean;
  onWant: (wanted: boolean) => void;
};

/** Which keys do what. */
export function KeysDialog({ open, onClose, keys, wanted, onWant }: Props) {
  const t = useTranslations('review');
  return (
    <Dialog open={open} onClose={onClose} title={t('keys_title')} closeLabel={t('close')}>
      <dl className={styles.keys}>
        {keys.map(({ key, text }) => (
          <div key={key} className={styles.line}>
            <dt>
              <kbd className={styles.key}>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <Switch label={t('keys_wanted')} hint={t('keys_hint')} checked={wanted} onChange={onWant} />
    </Dialog>
  );
}

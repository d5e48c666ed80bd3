import { AlertIcon } from '../../ui/icon/state-icons.tsx';
import styles from './account-form.module.css';

/** What went wrong with the whole form, heard as soon as it appears. */
export function FormAlert({ text }: { text: string }) {
  return (
    <p className={styles.alert} role="alert">
      <AlertIcon size={18} />
      {text}
    </p>
  );
}

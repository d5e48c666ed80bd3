import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import styles from './account-form.module.css';

/** What went wrong with the whole form, heard as soon as it appears. */
export function FormAlert({ text }: { text: string }) {
  return (
    <p className={styles.alert} role="alert">
      <CircleAlertIcon size={18} />
      {text}
    </p>
  );
}

import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import styles from './account-form.module.css';

/** Error of a whole form, announced when it appears. */
export function FormAlert({ text }: { text: string }) {
  return (
    <p className={styles.alert} role="alert">
      <CircleAlertIcon size={18} />
      {text}
    </p>
  );
}

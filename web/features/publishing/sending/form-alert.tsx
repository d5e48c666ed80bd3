import type { ReactNode } from 'react';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import styles from './form-alert.module.css';

/** Why the form was not sent, or not accepted. */
export function FormAlert({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles.alert}>
      <AlertIcon size={18} />
      <div className={styles.texts}>
        <p className={styles.title} role="alert">
          {title}
        </p>
        {children}
      </div>
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './form-field.module.css';

/** Marks the place of a field, so that it can be found when something is wrong with it. */
export function FormField({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className={styles.field} data-field={name}>
      {children}
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './plugin-facts.module.css';

type FactProps = { icon: ReactNode; name: string; children: ReactNode };

/** One fact: its name and its value. */
export function Fact({ icon, name, children }: FactProps) {
  return (
    <div className={styles.fact}>
      <dt className={styles.name}>
        {icon}
        {name}
      </dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

import type { ReactNode } from 'react';
import styles from './fact-row.module.css';

/** A list of FactRows in one frame. */
export function FactRows({ children }: { children: ReactNode }) {
  return <ul className={styles.rows}>{children}</ul>;
}

type FactRowProps = {
  icon: ReactNode;
  name: string;
  /** Beside the name: a badge, a hint. */
  beside?: ReactNode;
  /** Short facts below the name; each is said once. */
  facts: readonly string[];
  /** What can be done, at the far end. */
  action?: ReactNode;
};

/** Something of the viewer's own: what it is called, a line of facts, and what can be done with it. */
export function FactRow({ icon, name, beside, facts, action }: FactRowProps) {
  return (
    <li className={styles.row}>
      <span className={styles.sign}>{icon}</span>
      <div className={styles.words}>
        <div className={styles.line}>
          <h3 className={styles.name}>{name}</h3>
          {beside}
        </div>
        <p className={styles.facts}>
          {facts.map((fact) => (
            <span key={fact}>{fact}</span>
          ))}
        </p>
      </div>
      {action}
    </li>
  );
}

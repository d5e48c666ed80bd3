import type { ReactNode } from 'react';
import { FramedRow } from '../framed-rows/framed-rows.tsx';
import styles from './fact-row.module.css';

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

/** Something of the viewer's own, in FramedRows: what it is called, a line of facts, and what can be done with it. */
export function FactRow({ icon, name, beside, facts, action }: FactRowProps) {
  return (
    <FramedRow>
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
    </FramedRow>
  );
}

import type { ReactNode } from 'react';
import { FramedRow } from '../framed-rows/framed-rows.tsx';
import styles from './fact-row.module.css';

type FactRowProps = {
  icon: ReactNode;
  name: string;
  /** Beside the name: a badge, a hint. */
  beside?: ReactNode;
  /** Short facts below the name. */
  facts: readonly string[];
  /** Actions at the end. */
  action?: ReactNode;
  /** Below the facts: what needs more than a few words. */
  children?: ReactNode;
};

/** An item of the viewer in FramedRows: name, a line of facts, and actions. */
export function FactRow({ icon, name, beside, facts, action, children }: FactRowProps) {
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
        {children && <div className={styles.more}>{children}</div>}
      </div>
      {action}
    </FramedRow>
  );
}

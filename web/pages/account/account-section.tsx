import { type ReactNode, useId } from 'react';
import styles from './account-section.module.css';

type Props = { title: string; lead?: ReactNode; children: ReactNode };

/** A section of the account page: a heading, a sentence and actions. */
export function AccountSection({ title, lead, children }: Props) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} className={styles.title}>
        {title}
      </h2>
      {lead && <p className={styles.lead}>{lead}</p>}
      <div className={styles.content}>{children}</div>
    </section>
  );
}

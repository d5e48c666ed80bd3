import type { ReactNode } from 'react';
import styles from './status-page.module.css';

type Props = { code?: string; title: string; text: string; children: ReactNode };

/** A page that has nothing to show but why, and the way on. */
export function StatusPage({ code, title, text, children }: Props) {
  return (
    <section className={styles.page}>
      {code && <p className={styles.code}>{code}</p>}
      <h1 className={styles.title}>{title}</h1>
      <p className={styles.text}>{text}</p>
      <div className={styles.actions}>{children}</div>
    </section>
  );
}

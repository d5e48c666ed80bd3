import { type ReactNode, useEffect, useId, useRef } from 'react';
import styles from './shown-once.module.css';

type ShownOnceProps = { title: string; level: 2 | 3; children: ReactNode };

/** A panel with a secret that is shown only once: it takes focus, so that nobody overlooks it. */
export function ShownOnce({ title, level, children }: ShownOnceProps) {
  const id = useId();
  const panel = useRef<HTMLElement>(null);
  // A closing dialog traps focus and returns it to its button until then.
  useEffect(() => {
    const frame = requestAnimationFrame(() => panel.current?.focus());
    return () => cancelAnimationFrame(frame);
  }, []);
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section ref={panel} className={styles.panel} tabIndex={-1} aria-labelledby={id}>
      <Heading id={id} className={styles.title}>
        {title}
      </Heading>
      {children}
    </section>
  );
}

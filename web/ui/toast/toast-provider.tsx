import { type ReactNode, useCallback, useRef, useState } from 'react';
import styles from './toast.module.css';
import { Toast } from './toast.tsx';
import { ToastContext, type ToastMessage } from './toast-context.ts';

type Shown = ToastMessage & { id: number };

const MOST_AT_ONCE = 5;

/** Holds the toasts of a page; each stays for `duration` milliseconds, the next one below it. */
export function ToastProvider({ duration, children }: { duration: number; children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const lastId = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    lastId.current += 1;
    const id = lastId.current;
    setShown((before) => [...before, { ...message, id }].slice(-MOST_AT_ONCE));
  }, []);
  const remove = useCallback((id: number) => setShown((before) => before.filter((one) => one.id !== id)), []);
  return (
    <ToastContext value={show}>
      {children}
      <div className={styles.stack} role="status" aria-live="polite" aria-relevant="additions">
        {shown.map(({ id, kind, text }) => (
          <Toast key={id} id={id} kind={kind} text={text} duration={duration} onDone={remove} />
        ))}
      </div>
    </ToastContext>
  );
}

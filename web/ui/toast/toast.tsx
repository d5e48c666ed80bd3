import { useEffect, useState } from 'react';
import { CheckIcon } from '../icon/action-icons.tsx';
import { AlertIcon } from '../icon/state-icons.tsx';
import styles from './toast.module.css';
import type { ToastMessage } from './toast-context.ts';

type ToastProps = ToastMessage & { id: number; duration: number; onDone: (id: number) => void };

/** One message; it waits while the pointer rests on it. */
export function Toast({ id, kind, text, duration, onDone }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onDone(id), duration);
    return () => clearTimeout(timer);
  }, [held, id, duration, onDone]);
  return (
    <div className={styles.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <span className={kind === 'success' ? styles.success : styles.failure}>
        {kind === 'success' ? <CheckIcon /> : <AlertIcon size={18} />}
      </span>
      {text}
    </div>
  );
}

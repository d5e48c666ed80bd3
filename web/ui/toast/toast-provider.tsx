import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import styles from './toast.module.css';
import { ToastContext, type ToastMessage } from './toast-context.ts';

type Shown = ToastMessage & { id: number };

const MAX_TOASTS = 5;

/** Renders the toasts of a page; each stays for `duration` milliseconds, newer ones below. */
export function ToastProvider({ duration, children }: { duration: number; children: ReactNode }) {
  const [shown, setShown] = useState<Shown[]>([]);
  const lastId = useRef(0);
  const show = useCallback((message: ToastMessage) => {
    lastId.current += 1;
    const id = lastId.current;
    setShown((before) => [...before, { ...message, id }].slice(-MAX_TOASTS));
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

type ToastProps = ToastMessage & { id: number; duration: number; onDone: (id: number) => void };

/** One message; its timer pauses on hover. */
function Toast({ id, kind, text, duration, onDone }: ToastProps) {
  const [held, setHeld] = useState(false);
  useEffect(() => {
    if (held) return;
    const timer = setTimeout(() => onDone(id), duration);
    return () => clearTimeout(timer);
  }, [held, id, duration, onDone]);
  return (
    <div className={styles.toast} onPointerEnter={() => setHeld(true)} onPointerLeave={() => setHeld(false)}>
      <span className={kind === 'success' ? styles.success : styles.failure}>
        {kind === 'success' ? <CheckIcon /> : <CircleAlertIcon size={18} />}
      </span>
      {text}
    </div>
  );
}

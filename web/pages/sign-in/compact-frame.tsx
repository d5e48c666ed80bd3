import { type ReactNode, useEffect, useRef } from 'react';
import { SIGN_IN_LEFT_MESSAGE, SIGN_IN_SHOWN_MESSAGE } from '../../../shared/constants.ts';
import styles from './compact-frame.module.css';

/**
 * A form and nothing else, for the frame of a sign-in dialog: the page around it, if it is one of ours, is told how high
 * the form is and that Escape was pressed, which it could not hear itself.
 */
export function CompactFrame({ children }: { children: ReactNode }) {
  const content = useRef<HTMLElement>(null);
  useEffect(() => {
    const { current } = content;
    if (!current || window.parent === window) return;
    const tell = (message: object): void => window.parent.postMessage(message, location.origin);
    const size = new ResizeObserver(() =>
      tell({ type: SIGN_IN_SHOWN_MESSAGE, height: current.getBoundingClientRect().height }),
    );
    const leave = (event: KeyboardEvent): void => {
      if (event.key === 'Escape' && !event.isComposing) tell({ type: SIGN_IN_LEFT_MESSAGE });
    };
    size.observe(current);
    addEventListener('keydown', leave);
    return () => {
      size.disconnect();
      removeEventListener('keydown', leave);
    };
  }, []);
  return (
    <div className={styles.ground}>
      <main ref={content} className={styles.form}>
        {children}
      </main>
    </div>
  );
}

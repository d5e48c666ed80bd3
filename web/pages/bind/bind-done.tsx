import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { BASE_PATH, TOAST_DURATION } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import plain from '../sign-in/plain-page.module.css';
import styles from './bind-page.module.css';

/** Tells that the accounts are bound, and goes on to where the person came from, if that may be gone to. */
export function BindDone({ onward }: { onward: string | undefined }) {
  const t = useTranslations();
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    link.current?.focus();
    if (onward === undefined) return;
    const timer = setTimeout(() => location.replace(onward), TOAST_DURATION);
    return () => clearTimeout(timer);
  }, [onward]);
  return (
    <>
      <p className={plain.done} role="status">
        {t(onward === undefined ? 'bind.done' : 'bind.done_going_on')}
      </p>
      <div className={styles.actions}>
        <a ref={link} className={buttonClass({ variant: 'primary', size: 'l' })} href={onward ?? BASE_PATH}>
          {t(onward === undefined ? 'error.back_home' : 'bind.go_on')}
        </a>
      </div>
    </>
  );
}

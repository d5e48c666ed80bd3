import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { VisuallyHidden } from '../ui/visually-hidden/visually-hidden.tsx';
import styles from './frame-parts.module.css';

/** After a navigation to another page: focus at its beginning, and its title said aloud, once it is known. */
export function PageAnnouncer({ focus }: { focus: RefObject<HTMLElement | null> }) {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  const shown = useRef(pathname);
  /** Title of the page before. */
  const before = useRef('');
  useEffect(() => {
    const leave = (): void => {
      before.current = document.title;
    };
    if (shown.current === pathname) return leave;
    shown.current = pathname;
    focus.current?.focus({ preventScroll: true });
    const say = (): void => {
      if (document.title !== before.current) setTitle(document.title);
    };
    say();
    // A page that waits for its data gets its title with them.
    const observer = new MutationObserver(say);
    const element = document.querySelector('title');
    if (element) observer.observe(element, { childList: true });
    return () => {
      observer.disconnect();
      leave();
    };
  }, [pathname, focus]);
  return (
    <VisuallyHidden>
      <span aria-live="polite">{title}</span>
    </VisuallyHidden>
  );
}

/** The first stop of the keyboard on every page: past what all pages have in common (WCAG 2.2, 2.4.1). */
export function SkipLink({ to }: { to: string }) {
  const t = useTranslations('site');
  return (
    <a className={styles.skip} href={`#${to}`}>
      {t('skip_to_content')}
    </a>
  );
}

/** A line at the top while a navigation waits; its style lets a quick one pass unseen. */
export function ProgressLine() {
  return useNavigation().state !== 'idle' && <div className={styles.line} role="presentation" />;
}

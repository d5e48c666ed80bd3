import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation, useNavigation } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { takesSearchFocus } from '../features/plugins/search/search-focus.ts';
import { VisuallyHidden } from '../ui/visually-hidden/visually-hidden.tsx';
import styles from './frame.module.css';

/**
 * After a navigation: moves focus to the top of the new page, unless its search field takes it, and announces the title once
 * it is known.
 */
export function PageAnnouncer({ focus }: { focus: RefObject<HTMLElement | null> }) {
  const { pathname, state } = useLocation();
  const isSearch = takesSearchFocus(state);
  const [title, setTitle] = useState('');
  const shown = useRef(pathname);
  /** Title of the previous page. */
  const before = useRef('');
  useEffect(() => {
    const storePath = (): void => {
      before.current = document.title;
    };
    if (shown.current === pathname) return storePath;
    shown.current = pathname;
    if (!isSearch) focus.current?.focus({ preventScroll: true });
    const announce = (): void => {
      if (document.title !== before.current) setTitle(document.title);
    };
    announce();
    // A page that waits for its data gets its title along with them.
    const observer = new MutationObserver(announce);
    const element = document.querySelector('title');
    if (element) observer.observe(element, { childList: true });
    return () => {
      observer.disconnect();
      storePath();
    };
  }, [pathname, isSearch, focus]);
  return (
    <VisuallyHidden>
      <span aria-live="polite">{title}</span>
    </VisuallyHidden>
  );
}

/** The first tab stop of every page: skips the header (WCAG 2.2, 2.4.1). */
export function SkipLink({ to }: { to: string }) {
  const t = useTranslations('site');
  return (
    <a className={styles.skip} href={`#${to}`}>
      {t('skip_to_content')}
    </a>
  );
}

/** A progress line at the top during a navigation; its CSS hides it for quick ones. */
export function ProgressLine() {
  return useNavigation().state !== 'idle' && <div className={styles.line} role="presentation" />;
}

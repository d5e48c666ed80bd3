import { type RefObject, useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { VisuallyHidden } from '../ui/visually-hidden/visually-hidden.tsx';

/** After a navigation to another page: focus at its beginning, and its title said aloud. */
export function PageAnnouncer({ focus }: { focus: RefObject<HTMLElement | null> }) {
  const { pathname } = useLocation();
  const [title, setTitle] = useState('');
  const shown = useRef(pathname);
  useEffect(() => {
    if (shown.current === pathname) return;
    shown.current = pathname;
    focus.current?.focus({ preventScroll: true });
    setTitle(document.title);
  }, [pathname, focus]);
  return (
    <VisuallyHidden>
      <span aria-live="polite">{title}</span>
    </VisuallyHidden>
  );
}

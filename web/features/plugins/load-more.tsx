import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import styles from './load-more.module.css';

/** How far below the screen the next page is asked for. */
const AHEAD = '900px';

type LoadMoreProps = {
  busy: boolean;
  /** After a failure the visitor asks himself. */
  automatic: boolean;
  onMore: () => void;
};

/** The end of what is loaded: goes on by itself when scrolled near, or by its button. */
export function LoadMore({ busy, automatic, onMore }: LoadMoreProps) {
  const t = useTranslations('list');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (busy || !automatic || !place.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) onMore();
      },
      { rootMargin: AHEAD },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  }, [busy, automatic, onMore]);
  return (
    <div ref={place} className={styles.more}>
      <Button variant="outline" busy={busy} onClick={onMore}>
        {busy ? t('loading') : t('load_more')}
      </Button>
    </div>
  );
}

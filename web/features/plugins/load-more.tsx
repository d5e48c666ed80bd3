import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { useInfiniteScroll } from '../../ui/use-infinite-scroll.ts';
import styles from './load-more.module.css';

/** Pixels below the screen at which the next page is asked for, so that it is there when it is wanted. */
const AHEAD = 900;

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
  useInfiniteScroll(place, { isOn: automatic && !busy, onMore, distance: AHEAD });
  return (
    <div ref={place} className={styles.more}>
      <Button variant="outline" busy={busy} onClick={onMore}>
        {busy ? t('loading') : t('load_more')}
      </Button>
    </div>
  );
}

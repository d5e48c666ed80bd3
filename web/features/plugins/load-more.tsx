import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { useInfiniteScroll } from '../../ui/use-infinite-scroll.ts';
import styles from './plugin-results.module.css';

/** Pixels below the viewport at which the next page is requested, so that it has loaded in time. */
const AHEAD = 900;

type LoadMoreProps = {
  busy: boolean;
  /** After a failure only the visitor retries. */
  automatic: boolean;
  onMore: () => void;
};

/** The end of the loaded list: loads more when scrolled near, or by its button. */
export function LoadMore({ busy, automatic, onMore }: LoadMoreProps) {
  const t = useTranslations('list');
  const container = useRef<HTMLDivElement>(null);
  useInfiniteScroll(container, { isOn: automatic && !busy, onMore, distance: AHEAD });
  return (
    <div ref={container} className={styles.more}>
      <Button variant="outline" busy={busy} onClick={onMore}>
        {busy ? t('loading') : t('load_more')}
      </Button>
    </div>
  );
}

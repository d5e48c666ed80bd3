import { useQuery } from '@tanstack/react-query';
import ChevronLeftIcon from 'lucide-react/icons/chevron-left';
import ChevronRightIcon from 'lucide-react/icons/chevron-right';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import { useEffect, useRef, useState } from 'react';
import { useTranslations } from 'use-intl';
import { ALL_TAG_CODE, ALL_TAG_ID } from '../../../shared/constants.ts';
import { Button } from '../../ui/button/button.tsx';
import { IconButton } from '../../ui/button/icon-button.tsx';
import { chipClass } from '../../ui/chip/chip-class.ts';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { FilterLink } from './filter-link.tsx';
import type { PluginFilter } from './plugin-filter.ts';
import { tagsQuery } from './plugin-queries.ts';
import styles from './tag-bar.module.css';

const SKELETON_KEYS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** The tags of the catalogue as links, "all" first; scrolls horizontally when they don't fit. */
export function TagBar({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const list = useTranslations('list');
  const { data, isPending, isError, isFetching, refetch } = useQuery(tagsQuery());
  const { row, atStart, atEnd, move } = useHorizontalScroll<HTMLUListElement>();
  const tags = [{ id: ALL_TAG_ID, name: t('tag_all'), code: ALL_TAG_CODE }, ...(data?.tag_list ?? [])];
  return (
    <nav className={styles.bar} aria-label={t('tags')} data-at-start={atStart} data-at-end={atEnd}>
      <IconButton
        className={styles.back}
        size="s"
        variant="outline"
        label={t('tags_back')}
        icon={<ChevronLeftIcon />}
        tabIndex={-1}
        onClick={() => move(-1)}
      />
      <ul ref={row} className={styles.row}>
        {tags.map(({ id, name, code }) => (
          <li key={code}>
            <FilterLink
              filter={filter}
              change={{ tag_id: id }}
              className={chipClass({ current: id === filter.tag_id })}
              aria-current={id === filter.tag_id ? 'true' : undefined}
            >
              {name}
            </FilterLink>
          </li>
        ))}
        {isError && (
          <li>
            <Button variant="quiet" size="s" busy={isFetching} onClick={() => void refetch()}>
              {!isFetching && <RefreshCwIcon size={15} />}
              {list('retry')}
            </Button>
          </li>
        )}
        {isPending && SKELETON_KEYS.map((key) => <Skeleton key={key} className={styles.place} />)}
      </ul>
      <IconButton
        className={styles.on}
        size="s"
        variant="outline"
        label={t('tags_on')}
        icon={<ChevronRightIcon />}
        tabIndex={-1}
        onClick={() => move(1)}
      />
    </nav>
  );
}

/** Share of the row's width per scroll step. */
const STEP = 0.7;

/** Horizontal scroll of a row: whether it is at its ends, and a function that scrolls it. */
function useHorizontalScroll<E extends HTMLElement>() {
  const row = useRef<E>(null);
  const [ends, setEnds] = useState({ atStart: true, atEnd: true });
  useEffect(() => {
    const element = row.current;
    if (!element) return;
    const measure = (): void => {
      const rest = element.scrollWidth - element.clientWidth - element.scrollLeft;
      const next = { atStart: element.scrollLeft < 4, atEnd: rest < 4 };
      setEnds((now) => (now.atStart === next.atStart && now.atEnd === next.atEnd ? now : next));
    };
    const showCurrent = (): void => {
      const current = element.querySelector<HTMLElement>('[aria-current]');
      if (current)
        element.scrollLeft = current.offsetLeft - element.clientWidth / 2 + current.offsetWidth / 2;
      measure();
    };
    showCurrent();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    // The row's own size doesn't change when late content arrives.
    const children = new MutationObserver(showCurrent);
    children.observe(element, { childList: true });
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      children.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);
  const move = (direction: 1 | -1): void => {
    row.current?.scrollBy({ left: direction * row.current.clientWidth * STEP, behavior: 'smooth' });
  };
  return { row, ...ends, move };
}

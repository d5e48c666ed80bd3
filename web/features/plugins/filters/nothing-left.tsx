import { useQuery } from '@tanstack/react-query';
import ListFilterIcon from 'lucide-react/icons/list-filter';
import { useTranslations } from 'use-intl';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { Notice } from '../../../ui/notice/notice.tsx';
import { FilterLink } from '../filter-link.tsx';
import { NO_CHOICES, type PluginFilter } from '../plugin-filter.ts';
import { facetsQuery } from '../plugin-queries.ts';
import styles from './filter-bar.module.css';
import { activeFilters, useFilterWords } from './filter-words.ts';

/** In place of a list that its filters leave nothing of: which of them to drop, and what there would be then. */
export function NothingLeft({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('filters');
  const wordsOf = useFilterWords();
  const { data } = useQuery(facetsQuery(filter));
  const active = activeFilters(filter);
  const ways = (data?.facet_list ?? []).flatMap(({ name, without }) => {
    const dropped = active.filter((one) => one.name === name);
    if (without === 0 || dropped.length === 0) return [];
    const words = dropped.map(({ value }) => wordsOf(name, value) ?? value).join(' + ');
    return [{ name, words, without }];
  });
  return (
    <Notice
      live="status"
      icon={<ListFilterIcon size={22} />}
      title={t('none_title')}
      text={t(ways.length > 0 ? 'none_drop' : 'none_text')}
      action={
        <ul className={styles.ways}>
          {ways.map(({ name, words, without }) => (
            <li key={name}>
              <FilterLink
                filter={filter}
                change={{ [name]: undefined }}
                className={buttonClass({ variant: 'outline' })}
              >
                {t('without', { filter: words, count: without })}
              </FilterLink>
            </li>
          ))}
          <li>
            <FilterLink filter={filter} change={NO_CHOICES} className={buttonClass({ variant: 'quiet' })}>
              {t('clear_all')}
            </FilterLink>
          </li>
        </ul>
      }
    />
  );
}

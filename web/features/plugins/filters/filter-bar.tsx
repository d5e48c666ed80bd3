import ListFilterIcon from 'lucide-react/icons/list-filter';
import XIcon from 'lucide-react/icons/x';
import { useId, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginPage } from '../../../../shared/entities/plugin.ts';
import { Lazy } from '../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../loading/lazy-with-retry.ts';
import { Button } from '../../../ui/button/button.tsx';
import { buttonClass } from '../../../ui/button/button-class.ts';
import { chipClass } from '../../../ui/chip/chip-class.ts';
import { Dialog } from '../../../ui/dialog/dialog.tsx';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { FilterLink } from '../filter-link.tsx';
import { NO_CHOICES, type PluginFilter } from '../plugin-filter.ts';
import styles from './filter-bar.module.css';
import { activeFilters, useFilterWords } from './filter-words.ts';

const filterGroups = lazyWithRetry(async () => (await import('./filter-groups.tsx')).FilterGroups);
const PHONE = '(width < 640px)';

/** The filters of a list: those that are set, each to be removed, and all others in a panel, or a dialog on a phone. */
export function FilterBar({ filter, page }: { filter: PluginFilter; page: PluginPage | undefined }) {
  const t = useTranslations('filters');
  const common = useTranslations('common');
  const home = useTranslations('home');
  const panel = useId();
  const [place, setPlace] = useState<'panel' | 'dialog'>();
  const active = activeFilters(filter);
  const close = (): void => setPlace(undefined);
  const open = (): void => setPlace(matchMedia(PHONE).matches ? 'dialog' : 'panel');
  const number = page && home(page.total_estimated ? 'count_at_least' : 'count', { count: page.total });
  const groups = (
    <Lazy part={filterGroups} onFailed={close}>
      {(FilterGroups) => <FilterGroups filter={filter} />}
    </Lazy>
  );
  return (
    <div className={styles.filters}>
      <div className={styles.bar}>
        <Button
          variant="outline"
          size="s"
          aria-expanded={place !== undefined}
          aria-controls={panel}
          onClick={() => (place === undefined ? open() : close())}
        >
          <ListFilterIcon size={15} />
          {t('filters')}
          {active.length > 0 && <span className={styles.number}>{active.length}</span>}
        </Button>
        <ActiveFilters filter={filter} />
      </div>
      <div id={panel}>
        {place === 'panel' && (
          <section className={styles.panel} aria-label={t('filters')}>
            {groups}
          </section>
        )}
      </div>
      <Dialog
        open={place === 'dialog'}
        onClose={close}
        isDirty={false}
        title={t('filters')}
        closeLabel={common('close')}
        foot={
          <>
            <span role="status">
              <VisuallyHidden>{number}</VisuallyHidden>
            </span>
            <Button variant="primary" onClick={close}>
              {number ?? common('close')}
            </Button>
          </>
        }
      >
        {groups}
      </Dialog>
    </div>
  );
}

/** The filters that are set, as links that remove them; nothing without any. */
function ActiveFilters({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('filters');
  const wordsOf = useFilterWords();
  const active = activeFilters(filter);
  if (active.length === 0) return null;
  return (
    <ul className={styles.active} aria-label={t('active')}>
      {active.map(({ name, value, without }) => (
        <li key={`${name} ${value}`}>
          <FilterLink
            filter={filter}
            change={without}
            preventScrollReset
            className={chipClass({ small: true, current: true })}
          >
            <VisuallyHidden>{t('remove', { filter: wordsOf(name, value) ?? value })}</VisuallyHidden>
            <span aria-hidden="true">{wordsOf(name, value) ?? value}</span>
            <XIcon size={14} className={styles.cross} />
          </FilterLink>
        </li>
      ))}
      <li>
        <FilterLink
          filter={filter}
          change={NO_CHOICES}
          preventScrollReset
          className={buttonClass({ variant: 'quiet', size: 's' })}
        >
          {t('clear_all')}
        </FilterLink>
      </li>
    </ul>
  );
}

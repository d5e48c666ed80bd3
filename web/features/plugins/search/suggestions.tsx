import { keepPreviousData, useQuery } from '@tanstack/react-query';
import HistoryIcon from 'lucide-react/icons/history';
import TagIcon from 'lucide-react/icons/tag';
import XIcon from 'lucide-react/icons/x';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useRef, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { useDebounce } from 'use-debounce';
import { useLocale, useTranslations } from 'use-intl';
import { SUGGESTION_DELAY } from '../../../../shared/constants.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Avatar } from '../../../ui/avatar/avatar.tsx';
import { isCompositionKey } from '../../../ui/text-field/composition.ts';
import { publisherPath, VerifiedMark } from '../../publishers/index.ts';
import { useChangeFilter } from '../filter-link.tsx';
import { PluginIcon } from '../plugin-icon.tsx';
import { pluginPath } from '../plugin-path.ts';
import { addRecentSearch, clearRecentSearches, readRecentSearches } from './recent-searches.ts';
import type { Popup } from './search-field.tsx';
import styles from './suggestions.module.css';

type Props = {
  input: RefObject<HTMLInputElement | null>;
  listId: string;
  text: string;
  /** How often the text was changed by typing. */
  typed: number;
  popup: Popup;
  onPopup: (popup: Popup) => void;
  /** Shows a text in the field; what was typed is not searched for any more. */
  onReset: (text: string) => void;
  /** Shows a text that is searched for, or the empty one of a tag. */
  onChoose: (text: string) => void;
};

/** Recent searches shown beside suggestions. */
const RECENT_BESIDE = 2;
const CLOSED: Popup = { isOpen: false };

/** The listbox of the search field: a combobox by the WAI-ARIA pattern, whose focus stays in the field. */
export function Suggestions({ input, listId, text, typed, popup, onPopup, onReset, onChoose }: Props) {
  const t = useTranslations('home');
  const [recent, setRecent] = useState(readRecentSearches);
  const [isWanted, setWanted] = useState(() => document.activeElement === input.current);
  const groups = useSuggestions(text, recent, {
    reset: onReset,
    choose: onChoose,
    clear() {
      clearRecentSearches();
      setRecent([]);
    },
  });
  const options = groups.flatMap((group) => group.options);
  const isOpen = isWanted && options.length > 0;
  const active = options.findIndex(({ key }) => idOf(listId, key) === popup.active);
  const activeId = isOpen && active >= 0 ? popup.active : undefined;

  const close = (): void => {
    setWanted(false);
    onPopup(CLOSED);
  };
  const open = (): void => {
    setRecent(readRecentSearches());
    setWanted(true);
  };
  const activate = (index: number): void => {
    const option = options[index];
    onPopup({ isOpen, active: option && idOf(listId, option.key) });
  };
  const pick = ({ keepsOpen, onPick }: Option): void => {
    onPick();
    if (!keepsOpen) close();
  };
  const press = useEffectEvent((event: KeyboardEvent): void => {
    if (isCompositionKey(event) || hasOwnModifier(event)) return;
    const handled = isOpen ? pressOpen(event.key) : pressClosed(event.key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  });
  const pressClosed = (key: string): boolean => {
    if (key !== 'ArrowDown' && key !== 'ArrowUp') return false;
    open();
    return true;
  };
  const pressOpen = (key: string): boolean => {
    const chosen = options[active];
    const to = targetOf(key, active, options.length);
    if (to !== undefined) activate(to);
    else if (key === 'Escape') close();
    else if (key === 'Enter' && chosen) pick(chosen);
    else {
      if (key === 'Enter') close();
      return false;
    }
    return true;
  };
  const leave = useEffectEvent((): void => {
    addRecentSearch(text);
    close();
  });
  const wake = useEffectEvent((): void => {
    onPopup({ isOpen });
    open();
  });
  useEffect(() => {
    const field = input.current;
    if (!field) return;
    const listening = new AbortController();
    const { signal } = listening;
    // Before the listeners of the form: Enter on a suggestion submits nothing.
    field.addEventListener('keydown', (event) => press(event), { signal });
    field.addEventListener('click', () => wake(), { signal });
    field.addEventListener('blur', () => leave(), { signal });
    return () => listening.abort();
  }, [input]);
  const shown = useRef(typed);
  useEffect(() => {
    if (shown.current !== typed) wake();
    shown.current = typed;
  }, [typed]);
  useEffect(() => {
    if (popup.isOpen !== isOpen || popup.active !== activeId) onPopup({ isOpen, active: activeId });
  }, [isOpen, activeId, popup, onPopup]);
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' });
  }, [activeId]);

  if (!isOpen) return null;
  return (
    // The focus stays in the field.
    <div className={styles.popup} onPointerDown={(event) => event.preventDefault()}>
      <div id={listId} role="listbox" aria-label={t('suggestions')}>
        {groups.map(({ title, options }) => (
          <fieldset key={title} className={styles.group} aria-label={title}>
            <div className={styles.title} aria-hidden="true">
              {title}
            </div>
            {options.map((option) => {
              const id = idOf(listId, option.key);
              return (
                <button
                  type="button"
                  tabIndex={-1}
                  key={option.key}
                  id={id}
                  role="option"
                  aria-selected={id === activeId}
                  className={styles.option}
                  onClick={() => pick(option)}
                >
                  {option.mark}
                  <span className={option.keepsOpen ? styles.quiet : styles.text} lang={option.lang}>
                    {option.text}
                  </span>
                  {option.verified !== undefined && <VerifiedMark verified={option.verified} />}
                </button>
              );
            })}
          </fieldset>
        ))}
      </div>
    </div>
  );
}

type Option = {
  key: string;
  text: string;
  lang?: string | undefined;
  mark: ReactNode;
  /** Of a verified publisher: their domain. */
  verified?: string | undefined;
  /** Others may be chosen after it. */
  keepsOpen?: boolean;
  onPick: () => void;
};
type Group = { title: string; options: Option[] };
type Actions = {
  reset: (text: string) => void;
  choose: (text: string) => void;
  clear: () => void;
};

/** What a text may mean: recent searches, plugins, publishers and tags. An error leaves the field without suggestions. */
function useSuggestions(text: string, recent: readonly string[], { reset, choose, clear }: Actions): Group[] {
  const t = useTranslations('home');
  const language = useLocale();
  const navigate = useNavigate();
  const changeFilter = useChangeFilter();
  const typed = text.trim();
  const [keyword] = useDebounce(typed, SUGGESTION_DELAY);
  const { data } = useQuery({
    ...queryOptionsOf('suggestPlugins', { keyword, language }),
    enabled: keyword !== '' && typed !== '',
    retry: false,
    placeholderData: keepPreviousData,
  });
  const found = typed === '' ? undefined : data;
  const again =
    typed === ''
      ? recent
      : recent.filter((one) => one !== typed && one.startsWith(typed)).slice(0, RECENT_BESIDE);
  const searches = again.map((one) => ({
    key: `search-${one}`,
    text: one,
    mark: mark(<HistoryIcon size={18} />),
    onPick() {
      choose(one);
      changeFilter({ keyword: one }, { replace: true, preventScrollReset: true });
    },
  }));
  const forget = {
    key: 'clear',
    text: t('recent_clear'),
    mark: mark(<XIcon size={16} />),
    keepsOpen: true,
    onPick: clear,
  };
  const plugins = (found?.plugin_list ?? []).map(({ plugin_key, name, lang, icon }) => ({
    key: `plugin-${plugin_key}`,
    text: name,
    lang: lang === language ? undefined : lang,
    mark: <PluginIcon icon={icon} name={name} size={36} />,
    onPick() {
      reset(text);
      void navigate(pluginPath(plugin_key));
    },
  }));
  const publishers = (found?.publisher_list ?? []).flatMap((publisher) => {
    const { user_id, nick_name, avatar_url, handle, verified } = publisher;
    if (handle === undefined || nick_name === '') return [];
    return {
      key: `publisher-${handle}`,
      text: nick_name,
      mark: mark(<Avatar userId={user_id} nickName={nick_name} avatarUrl={avatar_url} size={30} />),
      verified,
      onPick() {
        reset(text);
        void navigate(publisherPath(handle));
      },
    };
  });
  const tags = (found?.tag_list ?? []).map(({ id, name }) => ({
    key: `tag-${id}`,
    text: name,
    mark: mark(<TagIcon size={18} />),
    onPick() {
      choose('');
      changeFilter({ tag_id: id, keyword: '' }, { preventScrollReset: true });
    },
  }));
  return [
    { title: t('recent'), options: searches.length > 0 && typed === '' ? [...searches, forget] : searches },
    { title: t('suggested_plugins'), options: plugins },
    { title: t('suggested_publishers'), options: publishers },
    { title: t('suggested_tags'), options: tags },
  ].filter(({ options }) => options.length > 0);
}

function mark(icon: ReactNode): ReactNode {
  return <span className={styles.mark}>{icon}</span>;
}

/** Ids have no spaces, which keywords may have. */
function idOf(listId: string, key: string): string {
  return `${listId}-${encodeURIComponent(key)}`;
}

function hasOwnModifier({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || altKey || shiftKey;
}

/**
 * The suggestion that a key leads to, -1 for the field itself; undefined for a key that does not move. Home and End move
 * among suggestions once one of them is chosen, else in the text.
 */
function targetOf(key: string, active: number, count: number): number | undefined {
  if (key === 'ArrowDown') return active + 1 === count ? -1 : active + 1;
  if (key === 'ArrowUp') return active === -1 ? count - 1 : active - 1;
  if (active === -1) return undefined;
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}

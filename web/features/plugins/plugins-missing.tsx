import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { ALL_TAG_ID, BASE_PATH } from '../../../shared/constants.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { SearchIcon } from '../../ui/icon/action-icons.tsx';
import { LayersIcon } from '../../ui/icon/thing-icons.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import type { PluginFilter } from './plugin-filter.ts';

/** Stands where no plugin matches: why, and the way out. */
export function PluginsMissing({ filter: { keyword, tag_id } }: { filter: PluginFilter }) {
  const t = useTranslations('home');
  const showAll = (
    <Link to={BASE_PATH} className={buttonClass({ variant: 'outline' })}>
      {keyword === '' ? t('show_all') : t('search_clear')}
    </Link>
  );
  if (keyword !== '')
    return (
      <Notice
        icon={<SearchIcon size={22} />}
        title={t('empty_search_title', { keyword })}
        text={t('empty_search_text')}
        action={showAll}
      />
    );
  if (tag_id !== ALL_TAG_ID)
    return (
      <Notice
        icon={<LayersIcon size={22} />}
        title={t('empty_tag_title')}
        text={t('empty_tag_text')}
        action={showAll}
      />
    );
  return <Notice icon={<LayersIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />;
}

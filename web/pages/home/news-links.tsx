import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { LATEST_FEED_PATH } from '../../../shared/constants.ts';
import { FeedLink } from '../../features/plugins/feed-link.tsx';
import { FollowButton } from '../../features/plugins/follow-button.tsx';
import { type PluginFilter, queryOf } from '../../features/plugins/plugin-filter.ts';
import { tagsQuery } from '../../features/plugins/plugin-queries.ts';
import styles from './home-page.module.css';

/** How to hear of new plugins: of the tag on screen, or of all. */
export function NewsLinks({ filter }: { filter: PluginFilter }) {
  const t = useTranslations('follow');
  const { data } = useQuery(tagsQuery());
  const tag = data?.tag_list.find(({ id }) => id === filter.tag_id);
  return (
    <p className={styles.news}>
      {tag && <FollowButton target={{ kind: 'tag', key: tag.id }} name={tag.name} size="s" />}
      <FeedLink path={LATEST_FEED_PATH + queryOf({ tag_id: filter.tag_id, keyword: '' })} text={t('feed')} />
    </p>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import BellIcon from 'lucide-react/icons/bell';
import { Link } from 'react-router-dom';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../shared/constants.ts';
import type { DataFor } from '../../api/client.ts';
import { BrowseLink } from '../../features/plugins/browse-link.tsx';
import { type FollowTarget, followsQuery, useFollow } from '../../features/plugins/follow.ts';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { Badge } from '../../ui/badge/badge.tsx';
import { Button } from '../../ui/button/button.tsx';
import { FramedRow, FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { PagedList } from '../paged-list.tsx';
import { FollowNotices } from './follow-notices.tsx';
import styles from './installed.module.css';

type Followed = DataFor<'listFollows'>['follow_list'][number];

/** What the viewer follows, latest first, and what they are told of it. */
export function FollowedPanel() {
  const t = useTranslations('follow');
  const query = useInfiniteQuery(followsQuery());
  const items = query.data?.pages.flatMap((page) => page.follow_list) ?? [];
  return (
    <>
      <FollowNotices />
      <PagedList
        query={query}
        skeletons={3}
        isEmpty={items.length === 0}
        empty={
          <Notice
            icon={<BellIcon size={22} />}
            title={t('empty_title')}
            text={t('empty_text')}
            action={<BrowseLink />}
          />
        }
      >
        <FramedRows>
          {items.map((item) => (
            <Row key={item.id} item={item} />
          ))}
        </FramedRows>
      </PagedList>
    </>
  );
}

type Shown = { target: FollowTarget; name: string; path?: string; lang?: string };

function shownOf({ plugin, tag, publisher }: Followed): Shown | undefined {
  if (plugin)
    return {
      target: { kind: 'plugin', key: plugin.plugin_key },
      name: plugin.name,
      path: pluginPath(plugin.plugin_key),
      lang: plugin.lang,
    };
  if (tag)
    return { target: { kind: 'tag', key: tag.id }, name: tag.name, path: `${BASE_PATH}?tag_id=${tag.id}` };
  if (!publisher) return undefined;
  return { target: { kind: 'publisher', key: publisher.user_id }, name: publisher.nick_name };
}

function Row({ item }: { item: Followed }) {
  const shown = shownOf(item);
  return shown ? <FollowedRow item={item} shown={shown} /> : null;
}

const KINDS = { plugin: 'kind_plugin', tag: 'kind_tag', publisher: 'kind_publisher' } as const;

/** One followed thing; once it is not followed any more it stays in place until the list is refetched. */
function FollowedRow({ item, shown: { target, name, path, lang } }: { item: Followed; shown: Shown }) {
  const t = useTranslations('follow');
  const format = useFormatter();
  const locale = useLocale();
  const { isFollowed, change } = useFollow(target, name);
  const since = format.dateTime(new Date(item.followed_at), { dateStyle: 'medium' });
  return (
    <FramedRow className={isFollowed ? undefined : styles.gone}>
      <div className={styles.texts}>
        <div className={styles.title}>
          <h2 className={styles.name} lang={lang === locale ? undefined : lang}>
            {item.is_available && path !== undefined ? <Link to={path}>{name}</Link> : name}
          </h2>
          <Badge>{t(KINDS[target.kind])}</Badge>
          {!item.is_available && (
            <Badge tone="warning" dot>
              {t('not_available')}
            </Badge>
          )}
        </div>
        <p className={styles.meta}>
          <span>{t('since', { when: since })}</span>
        </p>
      </div>
      <div className={styles.actions}>
        {isFollowed ? (
          <Button variant="outline" size="s" onClick={() => change(false)}>
            <ShortText full={t('unfollow_named', { name })}>{t('unfollow')}</ShortText>
          </Button>
        ) : (
          item.is_available && (
            <Button size="s" onClick={() => change(true)}>
              <ShortText full={t('again_named', { name })}>{t('again')}</ShortText>
            </Button>
          )
        )}
      </div>
    </FramedRow>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import HeartIcon from 'lucide-react/icons/heart';
import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { PRAISE_LIKE } from '../../../shared/constants.ts';
import type { DataFor } from '../../api/client.ts';
import { likedQuery } from '../../features/own-plugins/own-plugins-queries.ts';
import { BrowseLink } from '../../features/plugins/browse-link.tsx';
import { usePluginChange } from '../../features/plugins/plugin-mutation.tsx';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { FramedRow, FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { Notice } from '../../ui/notice/notice.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { PagedList } from '../paged-list.tsx';
import styles from './installed.module.css';
import { ListedPlugin } from './listed-plugin.tsx';

type Liked = DataFor<'listLiked'>['plugin_list'][number];

/** The viewer's liked plugins, latest like first. An older community service may not have this list. */
export function LikedPanel() {
  const t = useTranslations('myPlugins');
  const query = useInfiniteQuery(likedQuery());
  const items = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const icon = <HeartIcon size={22} />;
  if (query.error?.status === 404)
    return (
      <Notice
        icon={icon}
        title={t('liked_missing_title')}
        text={t('liked_missing_text')}
        action={<BrowseLink />}
      />
    );
  return (
    <PagedList
      query={query}
      skeletons={3}
      isEmpty={items.length === 0}
      empty={
        <Notice
          icon={icon}
          title={t('liked_empty_title')}
          text={t('liked_empty_text')}
          action={<BrowseLink />}
        />
      }
    >
      <FramedRows>
        {items.map((item) => (
          <LikedRow key={item.plugin.plugin_key} item={item} />
        ))}
      </FramedRows>
    </PagedList>
  );
}

/** One liked plugin; after unliking it stays in place until the list is refetched. */
function LikedRow({ item: { plugin, is_available, liked_at } }: { item: Liked }) {
  const t = useTranslations('myPlugins');
  const format = useFormatter();
  const [asking, setAsking] = useState(false);
  const { isPending, change } = usePluginChange(plugin);
  const isOn = plugin.is_praise === PRAISE_LIKE;
  const like = (next: boolean): void => {
    setAsking(false);
    change(next ? 'like' : 'unlike');
  };
  const { name } = plugin;
  return (
    <FramedRow className={isOn ? undefined : styles.gone}>
      <ListedPlugin
        plugin={plugin}
        isAvailable={is_available}
        since={
          liked_at && t('liked_at', { when: format.dateTime(new Date(liked_at), { dateStyle: 'medium' }) })
        }
        note={t('liked_not_available')}
      />
      <div className={styles.actions}>
        {isOn ? (
          <Button
            variant="outline"
            size="s"
            disabled={isPending}
            onClick={() => (is_available ? like(false) : setAsking(true))}
          >
            <HeartIcon fill="currentColor" size={14} />
            <ShortText full={t('unlike_named', { name })}>{t('unlike')}</ShortText>
          </Button>
        ) : (
          <>
            <span className={styles.uninstalled}>{t('unliked')}</span>
            {is_available && (
              <Button size="s" disabled={isPending} onClick={() => like(true)}>
                <HeartIcon size={14} />
                <ShortText full={t('like_again_named', { name })}>{t('like_again')}</ShortText>
              </Button>
            )}
          </>
        )}
        <ConfirmDialog
          open={asking}
          title={t('unlike_title', { name })}
          confirmLabel={t('unlike')}
          tone="danger"
          onConfirm={() => like(false)}
          onClose={() => setAsking(false)}
        >
          <p>{t('unlike_text')}</p>
        </ConfirmDialog>
      </div>
    </FramedRow>
  );
}

import { useContext, useEffect, useEffectEvent, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import type { Boot } from '../../../shared/boot.ts';
import { VERSIONS_FEED_FILE } from '../../../shared/constants.ts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { call } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';
import { TryPlugin } from '../../features/playground/index.ts';
import { ArrivalContext } from '../../features/plugins/arrival.ts';
import { CollectButton } from '../../features/plugins/collect-button.tsx';
import { InstallBar } from '../../features/plugins/detail/install-bar.tsx';
import { NetworkAccess } from '../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../features/plugins/detail/panel-picture.tsx';
import { PermissionLens } from '../../features/plugins/detail/permission-lens.tsx';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { PluginActions } from '../../features/plugins/detail/plugin-actions.tsx';
import { PluginFacts } from '../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTitle } from '../../features/plugins/detail/plugin-title.tsx';
import { VersionHistory } from '../../features/plugins/detail/version-history.tsx';
import { ShownIn } from '../../features/plugins/detail/version-list.tsx';
import { DeveloperDocsLink } from '../../features/plugins/developer-docs-link.tsx';
import { FeedLink } from '../../features/plugins/feed-link.tsx';
import { FollowButton } from '../../features/plugins/follow-button.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import type { PluginSummary } from '../../features/plugins/plugin-summary.ts';
import { PluginTags } from '../../features/plugins/plugin-tags.tsx';
import { publisherFeedPath } from '../../features/plugins/publisher-feed-path.ts';
import { useIsAdmin, useSession } from '../../features/session/use-session.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { useSiteAddress, WORKBENCH_PATH } from '../../layout/site-address.ts';
import { useTool } from '../../layout/tool/use-tool.ts';
import { useClientContext } from '../../layout/use-client-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { TextBlocks } from '../../ui/text-blocks/text-blocks.tsx';
import { versionsPath } from '../publish/publish-paths.ts';
import { ReportButton } from '../report-button.tsx';
import { CollectionsWith } from './collections-with.tsx';
import { DeprecatedNotice } from './deprecated-notice.tsx';
import { ListingHistory } from './listing-history.tsx';
import { MoreByPublisher } from './more-by-publisher.tsx';
import { pluginHead } from './plugin-head.ts';
import styles from './plugin-page.module.css';
import { AboutSkeleton, ActionsSkeleton, FactsSkeleton, StageSkeleton } from './plugin-skeletons.tsx';
import { RelatedPlugins } from './related-plugins.tsx';
import { UnpublishedNotice } from './unpublished-notice.tsx';

type PluginViewProps = {
  /** What a list knows of it, shown until the rest is there. */
  known: PluginSummary;
  plugin: PluginDetail | undefined;
};

/** The page of an existing plugin: media, network access, description and installation. */
export function PluginView({ known, plugin }: PluginViewProps) {
  const t = useTranslations('plugin');
  usePageHead(plugin ? pluginHead(plugin) : { title: known.name });
  useViewRecord(plugin?.plugin_key);
  const head = useRef<HTMLElement>(null);
  const actionProps = useActionProps(plugin);
  const { name, cover } = known;
  return (
    <article aria-busy={plugin ? undefined : true}>
      {plugin?.unpublished && <UnpublishedNotice state={plugin.unpublished} />}
      {plugin && <DeprecatedNotice plugin={plugin} />}
      <header ref={head} className={styles.header}>
        <PluginTitle plugin={plugin ?? known} />
        {actionProps ? (
          <PluginActions
            {...actionProps}
            more={<TryPlugin plugin={actionProps.plugin} />}
            collect={<CollectButton plugin={actionProps.plugin} variant="outline" size="l" />}
          />
        ) : (
          <ActionsSkeleton />
        )}
      </header>
      {actionProps && <InstallBar {...actionProps} head={head} />}
      <div className={styles.columns}>
        <div className={styles.main}>
          {plugin || cover ? (
            <PluginGallery plugin={plugin ?? { name, cover, media: [] }} />
          ) : (
            <StageSkeleton />
          )}
          {plugin ? <About plugin={plugin} /> : <AboutSkeleton />}
        </div>
        {plugin ? (
          <aside className={styles.aside} aria-label={t('facts')}>
            <NetworkAccess plugin={plugin} />
            <PermissionLens plugin={plugin} />
            <PluginFacts plugin={plugin} />
            <div className={styles.more}>
              <FollowPublisher plugin={plugin} />
              <DeveloperDocsLink />
              <FeedLinks plugin={plugin} />
              <ReportButton subject={{ plugin_key: plugin.plugin_key }} name={plugin.name} />
            </div>
          </aside>
        ) : (
          <div className={styles.aside}>
            <FactsSkeleton />
          </div>
        )}
      </div>
      {plugin && <MoreByPublisher plugin={plugin} />}
      {plugin && <RelatedPlugins pluginKey={plugin.plugin_key} />}
      {plugin && !plugin.unpublished && <CollectionsWith pluginKey={plugin.plugin_key} />}
    </article>
  );
}

/** For everybody but the publisher; one whose account is deleted publishes nothing more. */
function FollowPublisher({ plugin: { publisher, unpublished } }: { plugin: PluginDetail }) {
  const { user } = useSession();
  if (unpublished || publisher.is_deleted || user?.user_id === publisher.user_id) return null;
  return (
    <FollowButton target={{ kind: 'publisher', key: publisher.user_id }} name={publisher.nick_name} isNamed />
  );
}

/** Feeds of the plugin's versions and of its publisher's plugins. */
function FeedLinks({ plugin: { plugin_key, publisher, unpublished } }: { plugin: PluginDetail }) {
  const t = useTranslations('follow');
  if (unpublished) return null;
  return (
    <>
      <FeedLink path={`${pluginPath(plugin_key)}/${VERSIONS_FEED_FILE}`} text={t('feed_versions')} />
      {!publisher.is_deleted && (
        <FeedLink path={publisherFeedPath(publisher.user_id)} text={t('feed_publisher')} />
      )}
    </>
  );
}

/** Panel, description, tags and versions. */
function About({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  const lang = plugin.description_lang === locale ? undefined : plugin.description_lang;
  return (
    <>
      <PanelPicture plugin={plugin} />
      <section className={styles.about} aria-labelledby="about">
        <div className={styles.line}>
          <h2 id="about" className={styles.heading}>
            {t('about')}
          </h2>
          <ShownIn lang={plugin.description_lang} />
        </div>
        {Array.isArray(plugin.description_blocks) ? (
          <TextBlocks blocks={plugin.description_blocks} lang={lang} isByUser />
        ) : (
          <PlainText text={plugin.description} lang={lang} />
        )}
        <PluginTags tags={plugin.tags} />
      </section>
      <VersionHistory pluginKey={plugin.plugin_key} action={<ManageVersions plugin={plugin} />} />
      {plugin.releases && <ListingHistory pluginKey={plugin.plugin_key} />}
    </>
  );
}

function useActionProps(plugin: PluginDetail | undefined) {
  const { user } = useSession();
  const addressOf = useSiteAddress();
  const { client } = useClientContext();
  const tellTool = useTool();
  const { editors = [] } = useSite();
  if (!plugin) return undefined;
  return {
    plugin,
    isOwn: user?.user_id === plugin.publisher.user_id,
    onOpen: tellTool && (() => tellTool({ type: 'open', plugin_key: plugin.plugin_key })),
    // The desktop client is the editor.
    editorUrl: client !== 'browser' ? undefined : (openUrlOf(plugin, editors) ?? addressOf(WORKBENCH_PATH)),
  };
}

/** Where the first design tool that has an address for it and runs the plugin opens it. */
function openUrlOf({ plugin_key, hosts = [] }: PluginDetail, editors: NonNullable<Boot['editors']>) {
  const runs = ({ id }: { id: string }) => hosts.length === 0 || hosts.some(({ host }) => host === id);
  return editors
    .find((editor) => editor.open_url !== undefined && runs(editor))
    ?.open_url?.replaceAll('{plugin_key}', encodeURIComponent(plugin_key));
}

/** Records a view of a plugin, once it is known to exist and once per visit; failures are ignored. */
function useViewRecord(pluginKey: string | undefined): void {
  const recorded = useRef('');
  const arrival = useContext(ArrivalContext);
  const record = useEffectEvent((plugin_key: string) => {
    call('recordView', { plugin_key, ...arrival?.() }).catch(() => undefined);
  });
  useEffect(() => {
    if (pluginKey === undefined || recorded.current === pluginKey) return;
    recorded.current = pluginKey;
    record(pluginKey);
  }, [pluginKey]);
}

/** Link to the version controls, for the publisher and for administrators. */
function ManageVersions({ plugin: { plugin_key, publisher } }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const { user } = useSession();
  const isOwn = user?.user_id === publisher.user_id;
  const isAdmin = useIsAdmin();
  if (!isOwn && !isAdmin) return null;
  return (
    <Link className={buttonClass({ variant: 'outline', size: 's' })} to={versionsPath(plugin_key)}>
      {t('versions_manage')}
    </Link>
  );
}

import { useInfiniteQuery } from '@tanstack/react-query';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import ClockIcon from 'lucide-react/icons/clock';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { ROLE_USER, SORT_POPULAR } from '../../../shared/constants.ts';
import type { PluginDetail, Tag, Unpublished } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { call } from '../../api/client.ts';
import { InstallBar } from '../../features/plugins/detail/install-bar.tsx';
import { NetworkAccess } from '../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../features/plugins/detail/panel-picture.tsx';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { PluginActions } from '../../features/plugins/detail/plugin-actions.tsx';
import { PluginFacts } from '../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTitle } from '../../features/plugins/detail/plugin-title.tsx';
import { VersionHistory } from '../../features/plugins/detail/version-history.tsx';
import { ShownIn } from '../../features/plugins/detail/version-list.tsx';
import { DeveloperDocsLink } from '../../features/plugins/developer-docs-link.tsx';
import { PluginGrid } from '../../features/plugins/plugin-grid.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { pluginsQuery } from '../../features/plugins/plugin-queries.ts';
import { PluginTags } from '../../features/plugins/plugin-tags.tsx';
import { useVisitor } from '../../features/plugins/visitor-context.ts';
import { useSession } from '../../features/session/use-session.ts';
import { type HeadPicture, type PageHead, usePageHead } from '../../layout/page-head.tsx';
import { useSiteAddress, WORKBENCH_PATH } from '../../layout/site-address.ts';
import { useClientContext } from '../../layout/use-client-context.ts';
import { Lazy } from '../../loading/lazy.tsx';
import { lazyWithRetry } from '../../loading/lazy-with-retry.ts';
import { Button } from '../../ui/button/button.tsx';
import { buttonClass } from '../../ui/button/button-class.ts';
import { versionsPath } from '../publish/publish-paths.ts';
import styles from './plugin-page.module.css';
import relatedPluginsStyles from './related-plugins.module.css';
import unpublishedNoticeStyles from './unpublished-notice.module.css';

/** The page of an existing plugin: media, network access, description and installation. */
export function PluginView({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  const { user } = useSession();
  usePageHead(pluginHead(plugin));
  useViewRecord(plugin.plugin_key);
  const head = useRef<HTMLElement>(null);
  const addressOf = useSiteAddress();
  const { client } = useClientContext();
  const actionProps = {
    plugin,
    isOwn: user?.user_id === plugin.publisher.user_id,
    // The desktop client is the editor.
    editorUrl: client === 'desktop' ? undefined : addressOf(WORKBENCH_PATH),
  };
  const [firstTag] = plugin.tags;
  const lang = plugin.description_lang === locale ? undefined : plugin.description_lang;
  return (
    <article>
      {plugin.unpublished && <UnpublishedNotice state={plugin.unpublished} />}
      <header ref={head} className={styles.header}>
        <PluginTitle plugin={plugin} />
        <PluginActions {...actionProps} />
      </header>
      <InstallBar {...actionProps} head={head} />
      <div className={styles.columns}>
        <div className={styles.main}>
          <PluginGallery plugin={plugin} />
          <PanelPicture plugin={plugin} />
          <section className={styles.about} aria-labelledby="about">
            <div className={styles.line}>
              <h2 id="about" className={styles.heading}>
                {t('about')}
              </h2>
              <ShownIn lang={plugin.description_lang} />
            </div>
            <PlainText text={plugin.description} lang={lang} />
            <PluginTags tags={plugin.tags} />
          </section>
          <VersionHistory pluginKey={plugin.plugin_key} action={<ManageVersions plugin={plugin} />} />
        </div>
        <aside className={styles.aside} aria-label={t('facts')}>
          <NetworkAccess plugin={plugin} />
          <PluginFacts plugin={plugin} />
          <div className={styles.more}>
            <DeveloperDocsLink />
            <ReportButton pluginKey={plugin.plugin_key} name={plugin.name} />
          </div>
        </aside>
      </div>
      {firstTag && <RelatedPlugins pluginKey={plugin.plugin_key} tag={firstTag} />}
    </article>
  );
}

/** Records a view, once per visit; failures are ignored. */
function useViewRecord(pluginKey: string): void {
  const recorded = useRef('');
  useEffect(() => {
    if (recorded.current === pluginKey) return;
    recorded.current = pluginKey;
    call('recordView', { plugin_key: pluginKey }).catch(() => undefined);
  }, [pluginKey]);
}

/** Link to the version controls, for the publisher and for administrators. */
function ManageVersions({ plugin: { plugin_key, publisher } }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const { user, role } = useSession();
  const isOwn = user?.user_id === publisher.user_id;
  const isAdmin = role !== undefined && role !== ROLE_USER;
  if (!isOwn && !isAdmin) return null;
  return (
    <Link className={buttonClass({ variant: 'outline', size: 's' })} to={versionsPath(plugin_key)}>
      {t('versions_manage')}
    </Link>
  );
}

/** Metadata of a plugin's page for title bars, search engines and share cards. */
function pluginHead(plugin: PluginDetail): PageHead {
  const image = shareImage(plugin);
  return {
    title: plugin.name,
    description: plugin.intro,
    canonical: pluginPath(plugin.plugin_key),
    ...(image && { image }),
  };
}

/** The widest file of the cover, else of the icon. */
function shareImage({ name, cover, icon }: PluginDetail): HeadPicture | undefined {
  const picture = cover ?? icon;
  if (!picture) return undefined;
  const width = Math.max(...picture.widths);
  const height = Math.round((width * picture.height) / picture.width);
  return { path: pictureUrl(picture.key, width), width, height, alt: name };
}

/** Explains to its publisher and administrators why a plugin isn't public. */
function UnpublishedNotice({ state }: { state: Unpublished }) {
  const t = useTranslations('installation');
  return (
    <section className={unpublishedNoticeStyles.notice} aria-labelledby="unpublished">
      {state === 'waiting' ? <ClockIcon size={20} /> : <CircleAlertIcon size={20} />}
      <div>
        <h2 id="unpublished" className={unpublishedNoticeStyles.title}>
          {t(`${state}_title`)}
        </h2>
        <p className={unpublishedNoticeStyles.text}>{t(`${state}_text`)}</p>
      </div>
    </section>
  );
}

const SHOWN = 4;

/** Popular plugins with a common tag; nothing when there are none or they fail to load. */
function RelatedPlugins({ pluginKey, tag }: { pluginKey: string; tag: Tag }) {
  const t = useTranslations('plugin');
  const { data, isPending } = useInfiniteQuery(
    pluginsQuery({ tag_id: tag.id, keyword: '', sort: SORT_POPULAR }),
  );
  const others = data?.pages[0]?.plugin_list.filter(({ plugin_key }) => plugin_key !== pluginKey) ?? [];
  if (!isPending && others.length === 0) return null;
  return (
    <section className={relatedPluginsStyles.section} aria-labelledby="related">
      <h2 id="related" className={relatedPluginsStyles.title}>
        {t('related', { tag: tag.name })}
      </h2>
      <PluginGrid plugins={others.slice(0, SHOWN)} firstRow="later" loading={isPending} skeletons={SHOWN} />
    </section>
  );
}

const reportDialog = lazyWithRetry(
  async () => (await import('../../features/plugins/detail/report-dialog.tsx')).ReportDialog,
);

function ReportButton({ pluginKey, name }: { pluginKey: string; name: string }) {
  const t = useTranslations('plugin');
  const session = useTranslations('session');
  const { signedIn, startSignIn } = useVisitor();
  const [isOpen, setIsOpen] = useState(false);
  const open = (): void => {
    if (signedIn) setIsOpen(true);
    else startSignIn(undefined, session('ask_report', { name }));
  };
  return (
    <>
      <Button variant="quiet" size="s" onClick={open}>
        <CircleAlertIcon />
        {t('report')}
      </Button>
      {isOpen && (
        <Lazy part={reportDialog} onFailed={() => setIsOpen(false)}>
          {(ReportDialog) => (
            <ReportDialog pluginKey={pluginKey} name={name} onClose={() => setIsOpen(false)} />
          )}
        </Lazy>
      )}
    </>
  );
}

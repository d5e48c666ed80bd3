import { useEffect, useRef } from 'react';
import { Link } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { ROLE_USER } from '../../../shared/constants.ts';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { call } from '../../api/client.ts';
import { InstallBar } from '../../features/plugins/detail/install-bar.tsx';
import { NetworkAccess } from '../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../features/plugins/detail/panel-picture.tsx';
import { PlainText } from '../../features/plugins/detail/plain-text.tsx';
import { PluginActions } from '../../features/plugins/detail/plugin-actions.tsx';
import { PluginFacts } from '../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTags } from '../../features/plugins/detail/plugin-tags.tsx';
import { PluginTitle } from '../../features/plugins/detail/plugin-title.tsx';
import { ReportButton } from '../../features/plugins/detail/report-button.tsx';
import { ShownIn } from '../../features/plugins/detail/shown-in.tsx';
import { UnpublishedNotice } from '../../features/plugins/detail/unpublished-notice.tsx';
import { VersionHistory } from '../../features/plugins/detail/version-history.tsx';
import { DeveloperDocsLink } from '../../features/plugins/developer-docs-link.tsx';
import { pluginPath } from '../../features/plugins/plugin-path.ts';
import { RelatedPlugins } from '../../features/plugins/related-plugins.tsx';
import { useSession } from '../../features/session/use-session.ts';
import { type HeadPicture, type PageHead, usePageHead } from '../../layout/page-head.tsx';
import { useSiteAddress, WORKBENCH_PATH } from '../../layout/site-address.ts';
import { useClientContext } from '../../layout/use-client-context.ts';
import { buttonClass } from '../../ui/button/button-class.ts';
import { versionsPath } from '../publish/publish-paths.ts';
import styles from './plugin-page.module.css';

/** The page of a plugin that is there: what it shows, what it may reach, what it does, and how to get it. */
export function PluginView({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  const { user } = useSession();
  usePageHead(pluginHead(plugin));
  useViewRecord(plugin.plugin_key);
  const head = useRef<HTMLElement>(null);
  const addressOf = useSiteAddress();
  const { client } = useClientContext();
  const acts = {
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
        <PluginActions {...acts} />
      </header>
      <InstallBar {...acts} head={head} />
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

/** Records that the plugin was looked at, once per visit; nobody is told when that fails. */
function useViewRecord(pluginKey: string): void {
  const recorded = useRef('');
  useEffect(() => {
    if (recorded.current === pluginKey) return;
    recorded.current = pluginKey;
    call('recordView', { plugin_key: pluginKey }).catch(() => undefined);
  }, [pluginKey]);
}

/** The way to the controls of the versions, for the publisher and for administrators. */
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

/** What title bars, search engines and share cards show of a plugin. */
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

import CheckIcon from 'lucide-react/icons/check';
import DownloadIcon from 'lucide-react/icons/download';
import { memo, type ReactNode } from 'react';
import { Link, useLocation, useViewTransitionState } from 'react-router-dom';
import { useLocale, useTranslations } from 'use-intl';
import { classNames } from '../../ui/class-names.ts';
import { Tooltip } from '../../ui/tooltip/tooltip.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import { VisuallyHidden } from '../../ui/visually-hidden/visually-hidden.tsx';
import { PublisherLink } from '../publishers/index.ts';
import { CollectButton } from './collect-button.tsx';
import { Count } from './count.tsx';
import { excerpt } from './excerpt.ts';
import { InstallButton, LikeButton } from './plugin-buttons.tsx';
import styles from './plugin-card.module.css';
import { PluginCover } from './plugin-cover.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginMark } from './plugin-mark.tsx';
import { PLUGIN_PATH, pluginPath } from './plugin-path.ts';
import type { PluginSummary } from './plugin-summary.ts';

const COVER_SIZES =
  '(min-width: 1440px) 322px, (min-width: 1304px) 23vw, (min-width: 991px) 30vw, (min-width: 652px) 45vw, 92vw';

type PluginCardProps = { plugin: PluginSummary; load: 'first' | 'soon' | 'later' };

/** A plugin in a list: one link as large as the card, with the buttons on top of it. */
export const PluginCard = memo(function PluginCard({ plugin, load }: PluginCardProps) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  const { lang: nameLang, intro_lang: introLang = nameLang } = plugin;
  const lang = nameLang === locale ? undefined : nameLang;
  return (
    <article className={styles.card}>
      <CardCover plugin={plugin} load={load} />
      <div className={styles.head}>
        <PluginIcon icon={plugin.icon} name={plugin.name} size={36} />
        <div className={styles.names}>
          <h3 className={styles.name} lang={lang}>
            <PluginLink pluginKey={plugin.plugin_key} className={styles.link}>
              {plugin.name}
            </PluginLink>
          </h3>
          <p className={styles.publisher}>
            <PublisherLink publisher={plugin.publisher} deleted={t('deleted_account')} />
          </p>
        </div>
      </div>
      <p className={styles.intro} lang={introLang === locale ? undefined : introLang}>
        {excerpt(plugin.intro)}
      </p>
      <div className={styles.foot}>
        <Installs plugin={plugin} />
        <LikeButton plugin={plugin} className={styles.like} />
        <CollectButton
          plugin={plugin}
          size="s"
          className={classNames(styles.collect, plugin.is_installed && styles.besideBadge)}
        />
        <InstallButton plugin={plugin} />
      </div>
    </article>
  );
});

/** All installs; how many of them are in use is said where it is known. */
function Installs({
  plugin: { install_count: count, active_count: active },
}: Pick<PluginCardProps, 'plugin'>) {
  const t = useTranslations('plugin');
  if (!active)
    return (
      <span className={styles.installs}>
        <DownloadIcon size={15} />
        <VisuallyHidden>{t('installs')}</VisuallyHidden>
        <Count value={count} />
      </span>
    );
  const words = t('installs_active', { count, active });
  return (
    <span className={styles.installs}>
      <Tooltip text={words}>
        <span className={styles.counted}>
          <DownloadIcon size={15} />
          <ShortText full={words}>
            <Count value={count} />
          </ShortText>
        </span>
      </Tooltip>
    </span>
  );
}

/** The cover, with a view transition to the plugin's page and back. */
function CardCover({ plugin, load }: PluginCardProps) {
  const t = useTranslations('plugin');
  const isMoving = useViewTransitionState(pluginPath(plugin.plugin_key));
  return (
    <div className={classNames(styles.cover, isMoving && styles.moving)}>
      <PluginCover plugin={plugin} sizes={COVER_SIZES} load={load} />
      {plugin.is_installed && <InstalledBadge />}
      {plugin.is_installed && plugin.is_updated && <p className={styles.updated}>{t('updated_since')}</p>}
      <PluginMark plugin={plugin} onCover />
    </div>
  );
}

/** Badge on the cover of an installed plugin. */
function InstalledBadge() {
  const t = useTranslations('plugin');
  return (
    <span className={styles.badge}>
      <CheckIcon size={14} />
      <VisuallyHidden>{t('installed')}</VisuallyHidden>
    </span>
  );
}

type PluginLinkProps = { pluginKey: string; className?: string | undefined; children: ReactNode };

/**
 * A link to a plugin's page. Its state says how many steps back the list is; links between plugins add one, and without
 * a list there is no state. From a list to a page the cover moves (View Transitions).
 */
function PluginLink({ pluginKey, className, children }: PluginLinkProps) {
  const { pathname, state } = useLocation();
  const isOnPlugin = pathname.startsWith(PLUGIN_PATH);
  const steps = isOnPlugin ? stepsFromList(state) : 0;
  return (
    <Link
      to={pluginPath(pluginKey)}
      state={steps === undefined ? undefined : { stepsFromList: steps + 1 }}
      className={className}
      viewTransition={!isOnPlugin}
    >
      {children}
    </Link>
  );
}

/** Steps back to the list; undefined where the page wasn't opened from one. */
export function stepsFromList(state: unknown): number | undefined {
  if (typeof state !== 'object' || state === null || !('stepsFromList' in state)) return undefined;
  return typeof state.stepsFromList === 'number' ? state.stepsFromList : undefined;
}

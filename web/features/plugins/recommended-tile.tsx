import { memo } from 'react';
import { useLocale } from 'use-intl';
import { InstallButton } from './install-button.tsx';
import { PluginIcon } from './plugin-icon.tsx';
import { PluginLink } from './plugin-link.tsx';
import { PluginMark } from './plugin-mark.tsx';
import styles from './recommended-tile.module.css';
import type { ShownPlugin } from './shown-plugin.ts';

/** A recommended plugin in brief: icon, name, one line, install. */
export const RecommendedTile = memo(function RecommendedTile({ plugin }: { plugin: ShownPlugin }) {
  const locale = useLocale();
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <article className={styles.tile}>
      <PluginIcon icon={plugin.icon} name={plugin.name} size={48} />
      <div className={styles.texts} lang={lang}>
        <div className={styles.line}>
          <h3 className={styles.name}>
            <PluginLink pluginKey={plugin.plugin_key} className={styles.link}>
              {plugin.name}
            </PluginLink>
          </h3>
          <PluginMark plugin={plugin} />
        </div>
        <p className={styles.intro}>{plugin.intro}</p>
      </div>
      <InstallButton plugin={plugin} shows="icon" />
    </article>
  );
});

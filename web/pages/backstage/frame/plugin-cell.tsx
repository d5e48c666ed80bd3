import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router-dom';
import { useLocale } from 'use-intl';
import type { PluginCard } from '../../../../shared/entities/plugin.ts';
import { PluginThumb } from '../../plugin-thumb.tsx';
import styles from './plugin-cell.module.css';

type Props = {
  plugin: Pick<PluginCard, 'name' | 'lang' | 'icon' | 'cover'>;
  /** Link of the name; plain text without. */
  link: (LinkProps & { [attribute: `data-${string}`]: boolean }) | undefined;
  /** One line of further facts. */
  facts: ReactNode;
};

/** Cover, icon and name of a plugin in a list row. */
export function PluginCell({ plugin, link, facts }: Props) {
  const { name, lang } = plugin;
  const locale = useLocale();
  const nameLang = lang === locale ? undefined : lang;
  return (
    <div className={styles.plugin}>
      <PluginThumb plugin={plugin} />
      <div className={styles.texts}>
        {link ? (
          <Link {...link} className={styles.name} lang={nameLang}>
            {name}
          </Link>
        ) : (
          <span className={styles.name} lang={nameLang}>
            {name}
          </span>
        )}
        <span className={styles.facts}>{facts}</span>
      </div>
    </div>
  );
}

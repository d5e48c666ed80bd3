import { Link } from 'react-router-dom';
import { useLocale } from 'use-intl';
import type { PluginCard } from '../../../../shared/entities/plugin.ts';
import { PluginIcon } from '../../../features/plugins/plugin-icon.tsx';
import { pluginPath } from '../../../features/plugins/plugin-path.ts';
import { Person } from '../frame/person.tsx';
import styles from './manage.module.css';

/** Icon, name, version and publisher of a plugin; the name leads to its page where there is one. */
export function PluginName({ plugin, isLive }: { plugin: PluginCard; isLive: boolean }) {
  const locale = useLocale();
  const { plugin_key, name, icon, version, publisher } = plugin;
  const lang = plugin.lang === locale ? undefined : plugin.lang;
  return (
    <span className={styles.plugin}>
      <PluginIcon icon={icon} name={name} size={36} />
      <span className={styles.texts}>
        {isLive ? (
          <Link className={styles.name} to={pluginPath(plugin_key)} lang={lang}>
            {name}
          </Link>
        ) : (
          <span className={styles.name} lang={lang}>
            {name}
          </span>
        )}
        <span className={styles.facts}>
          {version}
          <Person user={publisher} />
        </span>
      </span>
    </span>
  );
}

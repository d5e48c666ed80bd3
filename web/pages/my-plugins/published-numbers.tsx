import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { PluginCard } from '../../../shared/entities/plugin.ts';
import { Count } from '../../features/plugins/count.tsx';
import { InstallIcon } from '../../ui/icon/action-icons.tsx';
import { HeartIcon } from '../../ui/icon/state-icons.tsx';
import { EyeIcon } from '../../ui/icon/thing-icons.tsx';
import styles from './published-card.module.css';

/** How a plugin does: installs, likes, views. */
export function PublishedNumbers({ plugin }: { plugin: PluginCard }) {
  const t = useTranslations('myPlugins');
  const numbers: [label: string, icon: ReactNode, value: number][] = [
    [t('installs'), <InstallIcon key="installs" size={15} />, plugin.install_count],
    [t('likes'), <HeartIcon key="likes" size={15} />, plugin.praise_count],
    [t('views'), <EyeIcon key="views" size={15} />, plugin.view_count],
  ];
  return (
    <dl className={styles.numbers}>
      {numbers.map(([label, icon, value]) => (
        <div key={label} className={styles.number}>
          <dt>{label}</dt>
          <dd>
            {icon}
            <Count value={value} />
          </dd>
        </div>
      ))}
    </dl>
  );
}

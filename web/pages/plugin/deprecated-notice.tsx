import ArchiveIcon from 'lucide-react/icons/archive';
import { useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { DeprecationNote } from '../../features/plugins/deprecation-note.tsx';
import { MoveOffer } from '../../features/plugins/move-offer.tsx';
import styles from './plugin-notice.module.css';

/** Says that a plugin is no longer maintained, and offers its successor to who has it. */
export function DeprecatedNotice({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('deprecation');
  const { deprecation, installation } = plugin;
  if (!deprecation) return null;
  const offered = installation?.deprecation?.successor;
  return (
    <section className={styles.notice} aria-labelledby="deprecated">
      <ArchiveIcon size={20} />
      <div>
        <h2 id="deprecated" className={styles.title}>
          {t('title')}
        </h2>
        <div className={styles.text}>
          <DeprecationNote deprecation={deprecation} />
        </div>
        {offered && (
          <p className={styles.action}>
            <MoveOffer plugin={plugin} successor={offered} size="s" />
          </p>
        )}
      </div>
    </section>
  );
}

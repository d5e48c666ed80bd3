import { useTranslations } from 'use-intl';
import type { EditablePlugin } from '../../../../shared/entities/review.ts';
import styles from './version-section.module.css';

/** The versions there are: the one users have, and the last number that was given. */
export function VersionFacts({ plugin }: { plugin: EditablePlugin }) {
  const t = useTranslations('publish');
  return (
    <dl className={styles.facts}>
      <div>
        <dt>{t('version_current')}</dt>
        <dd>{plugin.current_version ?? t('version_none')}</dd>
      </div>
      {plugin.last_version !== plugin.current_version && (
        <div>
          <dt>{t('version_last')}</dt>
          <dd>{plugin.last_version}</dd>
        </div>
      )}
    </dl>
  );
}

import { useTranslations } from 'use-intl';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { HiddenIcon } from '../../../ui/icon/work-icons.tsx';
import styles from './version-history.module.css';

/** What a version is: the current one, new or fixed, and to its publisher also waiting, refused or hidden. */
export function VersionMarks({ version }: { version: PluginVersion }) {
  const t = useTranslations('plugin');
  return (
    <>
      {version.is_current && <span className={styles.current}>{t('version_current')}</span>}
      <span className={styles.mark}>{t(version.kind === 'new' ? 'version_new' : 'version_fixed')}</span>
      {version.audit_status === AUDIT_WAITING && (
        <span className={styles.waiting}>{t('version_waiting')}</span>
      )}
      {version.audit_status === AUDIT_REFUSED && (
        <span className={styles.refused}>{t('version_refused')}</span>
      )}
      {version.is_hidden && (
        <span className={styles.mark}>
          <HiddenIcon size={12} />
          {t('version_hidden')}
        </span>
      )}
    </>
  );
}

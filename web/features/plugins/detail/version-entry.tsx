import { useFormatter, useLocale, useTranslations } from 'use-intl';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { PlainText } from './plain-text.tsx';
import styles from './version-history.module.css';

/** One version: number, date and what is new. */
export function VersionEntry({ version }: { version: PluginVersion }) {
  const t = useTranslations('plugin');
  const format = useFormatter();
  const locale = useLocale();
  const date = format.dateTime(new Date(version.created_at), { dateStyle: 'medium' });
  return (
    <li className={styles.entry}>
      <div className={styles.line}>
        <h3 className={styles.version}>{version.version}</h3>
        {version.is_current && <span className={styles.current}>{t('version_current')}</span>}
        <time className={styles.date} dateTime={version.created_at} suppressHydrationWarning>
          {date}
        </time>
      </div>
      <PlainText text={version.note} lang={version.lang === locale ? undefined : version.lang} />
    </li>
  );
}

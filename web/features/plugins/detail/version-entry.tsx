import type { ReactNode } from 'react';
import { useFormatter, useLocale } from 'use-intl';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { classNames } from '../../../ui/class-names.ts';
import { PlainText } from './plain-text.tsx';
import { ShownIn } from './shown-in.tsx';
import styles from './version-history.module.css';
import { VersionMarks } from './version-marks.tsx';

type VersionEntryProps = { version: PluginVersion; controls?: ReactNode };

/** One version: number, what it is, date and what is new. */
export function VersionEntry({ version, controls }: VersionEntryProps) {
  const format = useFormatter();
  const locale = useLocale();
  const lang = version.lang === locale ? undefined : version.lang;
  return (
    <li className={classNames(styles.entry, version.is_current && styles.live)}>
      <div className={styles.line}>
        <h3 className={styles.version}>{version.version}</h3>
        <VersionMarks version={version} />
        {version.created_at !== '' && (
          <time className={styles.date} dateTime={version.created_at} suppressHydrationWarning>
            {format.dateTime(new Date(version.created_at), { dateStyle: 'medium' })}
          </time>
        )}
      </div>
      <PlainText text={version.note} lang={lang} />
      {version.note !== '' && <ShownIn lang={version.lang} />}
      {controls}
    </li>
  );
}

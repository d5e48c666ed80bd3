import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import EyeOffIcon from 'lucide-react/icons/eye-off';
import LanguagesIcon from 'lucide-react/icons/languages';
import { type ReactNode, useId, useState } from 'react';
import { useFormatter, useLocale, useTranslations } from 'use-intl';
import { AUDIT_REFUSED, AUDIT_WAITING } from '../../../../shared/constants.ts';
import type { PluginVersion } from '../../../../shared/entities/plugin.ts';
import { LANGUAGE_NAMES, type Language } from '../../../../shared/languages.ts';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { useHostWords } from '../host-words.ts';
import { PlainText } from './plain-text.tsx';
import styles from './version-history.module.css';

type VersionListProps = {
  versions: readonly PluginVersion[];
  /** Versions shown before "Show more". */
  shownAtFirst: number;
  /** Actions for a version, for those with permission. */
  controls?: ((version: PluginVersion) => ReactNode) | undefined;
};

/** A list of versions with the earlier ones collapsed. */
export function VersionList({ versions, shownAtFirst, controls }: VersionListProps) {
  const t = useTranslations('plugin');
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const folded = versions.length - shownAtFirst;
  return (
    <>
      <ol id={id} className={styles.list}>
        {versions.slice(0, isExpanded ? undefined : shownAtFirst).map((version) => (
          <VersionEntry key={version.version} version={version} controls={controls?.(version)} />
        ))}
      </ol>
      {folded > 0 && (
        <Button
          variant="outline"
          size="s"
          className={styles.more}
          aria-expanded={isExpanded}
          aria-controls={id}
          onClick={() => setIsExpanded(!isExpanded)}
        >
          {isExpanded ? t('versions_fewer') : t('versions_more', { count: folded })}
          <ChevronDownIcon size={14} className={isExpanded ? styles.up : undefined} />
        </Button>
      )}
    </>
  );
}

type VersionEntryProps = { version: PluginVersion; controls?: ReactNode };

/** One version: number, state, date and changes. */
function VersionEntry({ version, controls }: VersionEntryProps) {
  const format = useFormatter();
  const locale = useLocale();
  const lang = version.lang === locale ? undefined : version.lang;
  const hosts = useHostWords()(version.hosts ?? []);
  const installation = useTranslations('installation');
  return (
    <li className={classNames(styles.entry, version.is_current && styles.live)}>
      <div className={styles.line}>
        <h3>{version.version}</h3>
        <VersionMarks version={version} />
        {version.created_at !== '' && (
          <time className={styles.date} dateTime={version.created_at} suppressHydrationWarning>
            {format.dateTime(new Date(version.created_at), { dateStyle: 'medium' })}
          </time>
        )}
      </div>
      {hosts.length > 0 && (
        <p className={styles.hosts}>{installation('works_in', { hosts: format.list(hosts) })}</p>
      )}
      <PlainText text={version.note} lang={lang} />
      {version.note !== '' && <ShownIn lang={version.lang} />}
      {controls}
    </li>
  );
}

/** Badges of a version: current, new or fixed, and for its publisher also pending, rejected or hidden. */
function VersionMarks({ version }: { version: PluginVersion }) {
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
          <EyeOffIcon size={12} />
          {t('version_hidden')}
        </span>
      )}
    </>
  );
}

/** Note that a text isn't in the page's language, because its publisher has no translation. */
export function ShownIn({ lang }: { lang: Language }) {
  const t = useTranslations('plugin');
  const locale = useLocale();
  if (lang === locale) return null;
  const language = new Intl.DisplayNames(locale, { type: 'language' }).of(lang.slice(0, 2));
  return (
    <p className={styles.shownIn} suppressHydrationWarning>
      <LanguagesIcon size={14} />
      {t('shown_in', { language: language ?? LANGUAGE_NAMES[lang] })}
    </p>
  );
}

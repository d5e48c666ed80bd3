import CheckIcon from 'lucide-react/icons/check';
import TriangleAlertIcon from 'lucide-react/icons/triangle-alert';
import type { ReactNode } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { VisuallyHidden } from '../../../ui/visually-hidden/visually-hidden.tsx';
import { accessKindOf } from './access-kind.ts';
import styles from './permission-lens.module.css';

/**
 * What a plugin can reach, from the file to the websites, beside what its publisher says to collect, and what its version
 * adds. Nothing where a service knows none of it.
 */
export function PermissionLens({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('facts');
  const rightName = useRightName();
  const { allowed_domains: domains, permissions, data_collected: collected } = plugin;
  if (!domains || !permissions) return null;
  const kind = accessKindOf(domains);
  return (
    <section className={styles.lens} aria-labelledby="reach">
      <h2 id="reach" className={styles.heading}>
        {t('reach')}
      </h2>
      <ol className={styles.steps}>
        <Step title={t('reach_file')}>{t('reach_file_text')}</Step>
        <Step title={t('reach_people')} isNotable={permissions.length > 0}>
          {permissions.length === 0 ? t('reach_people_none') : <Items items={permissions.map(rightName)} />}
        </Step>
        <Step title={t('reach_sites')} isNotable={kind !== 'none'}>
          {kind === 'none' && t('reach_sites_none')}
          {kind === 'some' && <Items items={domains} />}
          {kind === 'any' && t('any_site')}
        </Step>
        <Collected collected={collected ?? null} canSend={kind !== 'none'} />
      </ol>
      <Added plugin={plugin} />
    </section>
  );
}

type StepProps = { title: string; isNotable?: boolean; children: ReactNode };

/** Green or amber; the state is a text, too. */
function Step({ title, isNotable = false, children }: StepProps) {
  const t = useTranslations('facts');
  return (
    <li className={isNotable ? styles.notable : styles.fine}>
      <span className={styles.icon}>
        {isNotable ? <TriangleAlertIcon size={16} /> : <CheckIcon size={16} />}
      </span>
      <div className={styles.texts}>
        <h3 className={styles.title}>
          {title}
          <VisuallyHidden>{` (${t(isNotable ? 'notable' : 'fine')})`}</VisuallyHidden>
        </h3>
        <div>{children}</div>
      </div>
    </li>
  );
}

type CollectedProps = { collected: NonNullable<PluginDetail['data_collected']> | null; canSend: boolean };

function Collected({ collected, canSend }: CollectedProps) {
  const t = useTranslations('facts');
  const locale = useLocale();
  if (!collected)
    return (
      <Step title={t('collected')} isNotable={canSend}>
        {t('collected_unstated')}
      </Step>
    );
  const { kinds, other, lang } = collected;
  const isNothing = kinds.length === 0 && other === '';
  return (
    <Step title={t('collected')} isNotable={!isNothing}>
      {isNothing && t('collected_nothing')}
      {kinds.length > 0 && <Items items={kinds.map((kind) => t(`collected_${kind}`))} />}
      {other !== '' && (
        <p className={styles.other} lang={lang === locale ? undefined : lang}>
          {other}
        </p>
      )}
      <p className={styles.note}>{t('collected_by')}</p>
    </Step>
  );
}

/** What the version asks for beyond the one before it. */
function Added({ plugin: { version, added_rights: added } }: { plugin: PluginDetail }) {
  const t = useTranslations('facts');
  const rightName = useRightName();
  const siteName = (domain: string): string => (domain === '*' ? t('any_site') : domain);
  if (!added) return null;
  const { since, domains, permissions } = added;
  if (domains.length + permissions.length === 0)
    return <p className={styles.note}>{t('added_none', { since })}</p>;
  return (
    <div className={styles.added}>
      <h3 className={styles.title}>{t('added', { version })}</h3>
      <Items items={[...permissions.map(rightName), ...domains.map(siteName)]} />
    </div>
  );
}

function Items({ items }: { items: readonly string[] }) {
  return (
    <ul className={styles.items}>
      {items.map((item) => (
        <li key={item}>{item}</li>
      ))}
    </ul>
  );
}

const KNOWN = ['currentuser', 'activeusers', 'fileusers', 'payments', 'teamlibrary'] as const;

/** Words for a permission; its own name for one of another design tool. */
export function useRightName(): (permission: string) => string {
  const t = useTranslations('facts');
  return (permission) => {
    const known = KNOWN.find((one) => one === permission);
    return known ? t(`right_${known}`) : permission;
  };
}

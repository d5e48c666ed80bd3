import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import GlobeLockIcon from 'lucide-react/icons/globe-lock';
import ShieldCheckIcon from 'lucide-react/icons/shield-check';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED } from '../../../../shared/constants.ts';
import type { PluginDetail } from '../../../../shared/entities/plugin.ts';
import { classNames } from '../../../ui/class-names.ts';
import { accessKindOf } from './access-kind.ts';
import styles from './network-access.module.css';

const KINDS = {
  none: { icon: <ShieldCheckIcon size={20} />, text: 'access_none_text', look: styles.none },
  some: { icon: <GlobeLockIcon size={20} />, text: 'access_some_text', look: styles.some },
  any: { icon: <CircleAlertIcon size={20} />, text: 'access_any_text', look: styles.any },
} as const;

/** The plugin's network access, shown before installation; nothing where unknown. */
export function NetworkAccess({ plugin }: { plugin: PluginDetail }) {
  const t = useTranslations('plugin');
  const domains = plugin.allowed_domains;
  if (!domains) return null;
  const kind = accessKindOf(domains);
  const { icon, text, look } = KINDS[kind];
  const title =
    kind === 'some'
      ? t('access_some', { count: domains.length })
      : t(kind === 'any' ? 'access_any' : 'access_none');
  return (
    <section className={classNames(styles.card, look)} aria-labelledby="access">
      <span className={styles.icon}>{icon}</span>
      <div className={styles.texts}>
        <h2 id="access" className={styles.title}>
          {title}
        </h2>
        <p className={styles.text}>{t(text)}</p>
        {kind === 'some' && (
          <ul className={styles.domains}>
            {domains.map((domain) => (
              <li key={domain}>{domain}</li>
            ))}
          </ul>
        )}
        {plugin.audit_status === AUDIT_PASSED && (
          <p className={styles.reviewed}>
            <CheckIcon size={14} />
            {t('reviewed')}
          </p>
        )}
      </div>
    </section>
  );
}

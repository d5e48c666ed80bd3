import { useTranslations } from 'use-intl';
import styles from './new-rights.module.css';

const ANY_DOMAIN = '*';

/** Domains and permissions that a version asks for beyond the accepted ones; nothing without any. */
export function NewRights({
  domains,
  permissions,
}: {
  domains: readonly string[];
  permissions: readonly string[];
}) {
  const t = useTranslations('installation');
  const named = domains.map((domain) => (domain === ANY_DOMAIN ? t('any_domain') : domain));
  return (
    <>
      <NewItems title={t('new_domains')} names={named} />
      <NewItems title={t('new_permissions')} names={permissions} />
    </>
  );
}

function NewItems({ title, names }: { title: string; names: readonly string[] }) {
  if (names.length === 0) return null;
  return (
    <section>
      <h3 className={styles.title}>{title}</h3>
      <ul className={styles.names}>
        {names.map((name) => (
          <li key={name}>{name}</li>
        ))}
      </ul>
    </section>
  );
}

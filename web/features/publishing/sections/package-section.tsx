import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { PackageIcon } from '../../../ui/icon/account-icons.tsx';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { CodeField } from '../fields/code-field.tsx';
import { PackageReport } from '../fields/package-report.tsx';
import { useForm } from '../publish-form-context.ts';
import styles from './package-section.module.css';
import { Section } from './section.tsx';

/** The code file; when a plugin is edited, only if it gets a new version. */
export function PackageSection() {
  const t = useTranslations('publish');
  const { plugin, bringsVersion, setBringsVersion, refused, showDetails } = useForm();
  if (plugin && !bringsVersion)
    return (
      <Section title={t('package')}>
        <div className={styles.stays}>
          <span className={styles.icon}>
            <PackageIcon size={20} />
          </span>
          <p className={styles.text}>
            <span className={styles.version}>{t('version_stays', { version: plugin.version })}</span>
            {t('version_stays_text')}
          </p>
          <Button variant="outline" onClick={() => setBringsVersion(true)}>
            <PlusIcon />
            {t('version_bring')}
          </Button>
        </div>
      </Section>
    );
  return (
    <Section
      title={t('package')}
      lead={t('package_lead')}
      aside={
        plugin && (
          <Button variant="quiet" size="s" onClick={() => setBringsVersion(false)}>
            {t('version_leave')}
          </Button>
        )
      }
    >
      <CodeField />
      <PackageReport />
      {refused.length > 0 && showDetails(refused)}
    </Section>
  );
}

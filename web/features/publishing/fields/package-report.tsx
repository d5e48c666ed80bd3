import { useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { CheckIcon } from '../../../ui/icon/action-icons.tsx';
import { AlertIcon } from '../../../ui/icon/state-icons.tsx';
import { useForm } from '../publish-form-context.ts';
import { PackageDifferences } from './package-differences.tsx';
import styles from './package-report.module.css';

/** What was read from the package: its facts, what was filled from it, what differs, and what the check has found. */
export function PackageReport() {
  const t = useTranslations('publish');
  const format = useFormatter();
  const place = useRef<HTMLDivElement>(null);
  const { packageState, prefilled, showFindings } = useForm();
  if (packageState.state === 'unreadable')
    return (
      <p className={styles.failed} role="alert">
        <AlertIcon />
        {t('package_unreadable', { name: packageState.name })}
      </p>
    );
  const reading = packageState.state === 'read' ? packageState.reading : undefined;
  const found = reading?.package;
  return (
    <div ref={place} className={styles.report} tabIndex={-1}>
      <div className={styles.report} role="status">
        {found && (
          <ul className={styles.facts}>
            {found.name !== '' && <li className={styles.name}>{found.name}</li>}
            {found.version !== null && <li>{t('package_version', { version: found.version })}</li>}
            <li>{t('package_files', { count: found.files.length })}</li>
            <li>
              {found.allowed_domains.includes('*')
                ? t('package_any_domain')
                : t('package_domains', { count: found.allowed_domains.length })}
            </li>
          </ul>
        )}
        {prefilled.length > 0 && (
          <p className={styles.filled}>
            <CheckIcon size={15} />
            {t('prefilled', { fields: format.list(prefilled.map((name) => t(`field_${name}`))) })}
          </p>
        )}
      </div>
      {reading && showFindings(reading.findings)}
      {/* The button that had the keyboard goes once it is pressed. */}
      <PackageDifferences onDecided={() => place.current?.focus()} />
    </div>
  );
}

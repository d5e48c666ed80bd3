import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import FileCodeIcon from 'lucide-react/icons/file-code';
import PackageIcon from 'lucide-react/icons/package';
import PlusIcon from 'lucide-react/icons/plus';
import TrashIcon from 'lucide-react/icons/trash';
import { useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { FindingList, findingOfDetail } from '../../../../features/findings/index.ts';
import { useHostWords } from '../../../../features/plugins/index.ts';
import { Button } from '../../../../ui/button/button.tsx';
import { IconButton } from '../../../../ui/button/icon-button.tsx';
import { FileDrop } from '../../../../ui/file-drop/file-drop.tsx';
import { Spinner } from '../../../../ui/spinner/spinner.tsx';
import { useFormatBytes } from '../../use-format-bytes.ts';
import { filledFields } from '../package-values.ts';
import { useForm } from '../use-form.ts';
import { PackageDifferences } from './package-differences.tsx';
import styles from './package-section.module.css';
import { FormField, FormSection } from './section.tsx';

/** The code file; for an existing plugin only with a new version. */
export function PackageSection() {
  const t = useTranslations('publish');
  const { state, setIncludesVersion } = useForm();
  const { plugin, includesVersion, sending } = state;
  const refused = sending.state === 'refused' ? sending.submitError.findings : [];
  if (plugin && !includesVersion)
    return (
      <FormSection title={t('package')}>
        <div className={styles.stays}>
          <span className={styles.icon}>
            <PackageIcon size={20} />
          </span>
          <p className={styles.text}>
            <span className={styles.version}>{t('version_stays', { version: plugin.version })}</span>
            {t('version_stays_text')}
          </p>
          <Button variant="outline" onClick={() => setIncludesVersion(true)}>
            <PlusIcon />
            {t('version_bring')}
          </Button>
        </div>
      </FormSection>
    );
  return (
    <FormSection
      title={t('package')}
      lead={t('package_lead')}
      aside={
        plugin && (
          <Button variant="quiet" size="s" onClick={() => setIncludesVersion(false)}>
            {t('version_leave')}
          </Button>
        )
      }
    >
      <CodeField />
      <PackageReport />
      {refused.length > 0 && <FindingList findings={refused.map(findingOfDetail)} />}
    </FormSection>
  );
}

/** Accepts the package of the plugin and shows it. */
function CodeField() {
  const t = useTranslations('publish');
  const form = useTranslations('form');
  const bytes = useFormatBytes();
  const { state, problemAt, chooseCode, removeCode } = useForm();
  const { packageState } = state;
  const { code } = state.files;
  const isReading = packageState.state === 'reading';
  return (
    <FormField name="code">
      <FileDrop
        label={t('code')}
        prompt={t('code_prompt')}
        hint={t('code_hint')}
        error={problemAt('/code')}
        accept=".json,application/json"
        icon={<FileCodeIcon size={20} />}
        required
        onFiles={([file]) => file && void chooseCode(file)}
      >
        {isReading || code ? (
          <div className={styles.file} aria-busy={isReading}>
            <span className={styles.icon}>{isReading ? <Spinner /> : <FileCodeIcon size={20} />}</span>
            <span className={styles.texts}>
              <span className={styles.fileName}>{isReading ? packageState.name : code?.name}</span>
              <span className={styles.detail}>
                {isReading || !code ? t('code_reading') : t('code_replace', { size: bytes(code.size) })}
              </span>
            </span>
            {code && (
              <IconButton
                className={styles.remove}
                size="s"
                label={form('remove_named', { name: code.name })}
                icon={<TrashIcon size={16} />}
                onClick={removeCode}
              />
            )}
          </div>
        ) : undefined}
      </FileDrop>
    </FormField>
  );
}

/** Results of reading the package: facts, filled fields, differences and findings. */
function PackageReport() {
  const t = useTranslations('publish');
  const format = useFormatter();
  const container = useRef<HTMLDivElement>(null);
  const { packageState, values, filled } = useForm().state;
  const prefilled = filledFields(values, filled);
  const installation = useTranslations('installation');
  const wordsOf = useHostWords();
  if (packageState.state === 'unreadable')
    return (
      <p className={styles.failed} role="alert">
        <CircleAlertIcon />
        {t('package_unreadable', { name: packageState.name })}
      </p>
    );
  const reading = packageState.state === 'read' ? packageState.reading : undefined;
  const found = reading?.package;
  const hosts = wordsOf(found?.hosts ?? []);
  return (
    <div ref={container} className={styles.report} tabIndex={-1}>
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
            {hosts.length > 0 && <li>{installation('works_in', { hosts: format.list(hosts) })}</li>}
          </ul>
        )}
        {prefilled.length > 0 && (
          <p className={styles.filled}>
            <CheckIcon size={15} />
            {t('prefilled', { fields: format.list(prefilled.map((name) => t(`field_${name}`))) })}
          </p>
        )}
      </div>
      {reading && <FindingList findings={reading.findings} />}
      {/* The focused button is removed when pressed. */}
      <PackageDifferences onDecided={() => container.current?.focus()} />
    </div>
  );
}

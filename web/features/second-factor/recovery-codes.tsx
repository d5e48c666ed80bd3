import { useTranslations } from 'use-intl';
import { Button } from '../../ui/button/button.tsx';
import { CopyButton } from '../../ui/copy/copy-button.tsx';
import { InstallIcon } from '../../ui/icon/action-icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { ShownOnce } from '../../ui/shown-once/shown-once.tsx';
import styles from './second-factor.module.css';

type RecoveryCodesProps = { codes: readonly string[]; doneLabel: string; busy?: boolean; onDone: () => void };

/** Recovery codes, this once, and the ways to keep them. */
export function RecoveryCodes({ codes, doneLabel, busy = false, onDone }: RecoveryCodesProps) {
  const t = useTranslations('secondFactor');
  const text = (): string => `${codes.join('\n')}\n`;
  const download = (): void =>
    saveFile(new Blob([`${location.host}\n\n${text()}`], { type: 'text/plain' }), 'recovery-codes.txt');
  return (
    <ShownOnce title={t('codes_title')} level={3}>
      <p>{t('codes_text')}</p>
      <ol className={styles.list} translate="no">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className={styles.actions}>
        <CopyButton
          size="m"
          text={text}
          labels={{ idle: t('codes_copy'), copied: t('copied'), failed: t('copy_failed') }}
        />
        <Button variant="outline" onClick={download}>
          <InstallIcon size={14} />
          {t('codes_download')}
        </Button>
        <Button variant="primary" busy={busy} onClick={onDone}>
          {doneLabel}
        </Button>
      </div>
    </ShownOnce>
  );
}

import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DOCS_PATH } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { isFindingCode } from '../../../shared/package/finding-codes.ts';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import styles from './findings.module.css';
import { useFindingText } from './use-finding-text.ts';

type FindingItemProps = {
  finding: Finding;
  icon: ReactNode;
  /** Address at which its place is shown. */
  to?: string | undefined;
};

/** One finding: what it says, where it stands, and where the documentation says how to fix it, beside the form at work. */
export function FindingItem({ finding, icon, to }: FindingItemProps) {
  const t = useTranslations('finding.list');
  const say = useFindingText();
  const { code, pointer, file, line, column } = finding;
  const place = (
    <>
      {file !== undefined && <code>{file}</code>}
      {line !== undefined && (
        <span>{column === undefined ? t('line', { line }) : t('line_column', { line, column })}</span>
      )}
      {pointer !== '' && <code>{pointer}</code>}
    </>
  );
  return (
    <li className={styles.item}>
      {icon}
      <div className={styles.said}>
        <p className={styles.text}>{say(finding)}</p>
        {(pointer !== '' || file !== undefined || line !== undefined) && (
          <p className={styles.place}>
            {to === undefined ? (
              place
            ) : (
              // The part that is opened scrolls to the place itself.
              <Link to={to} preventScrollReset>
                {place}
              </Link>
            )}
          </p>
        )}
        {isFindingCode(code) && (
          <a className={styles.docs} href={`${DOCS_PATH}#finding-${code}`} target="_blank" rel="noopener">
            <ShortText full={t('docs_named', { code })}>{t('docs')}</ShortText>
          </a>
        )}
      </div>
    </li>
  );
}

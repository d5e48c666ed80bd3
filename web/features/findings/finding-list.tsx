import { type ReactNode, useId, useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { DOCS_PATH } from '../../../shared/constants.ts';
import type { Finding } from '../../../shared/entities/finding.ts';
import { isFindingCode } from '../../../shared/package/finding-codes.ts';
import { Button } from '../../ui/button/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { ShortText } from '../../ui/visually-hidden/short-text.tsx';
import visuallyHidden from '../../ui/visually-hidden/visually-hidden.module.css';
import { publisherPath } from '../publishers/index.ts';
import { SEVERITY_LOOK } from './finding-counts.tsx';
import styles from './findings.module.css';
import { type FindingGroup, findingGroups, findingLine, useFindingText } from './findings.ts';

const SHOWN_AT_FIRST = 8;

type FindingListProps = {
  findings: readonly Finding[];
  /** The counts are shown beside the list already. */
  isCounted?: boolean;
  /** URL that shows the place of a finding, if there is one. */
  linkOf?: (finding: Finding) => string | undefined;
};

/** Findings, errors first, with file position and JSON pointer; all can be copied as text. */
export function FindingList({ findings, isCounted = false, linkOf }: FindingListProps) {
  const t = useTranslations('finding.list');
  const common = useTranslations('common');
  const textOf = useFindingText();
  if (findings.length === 0) return null;
  const groups = findingGroups(findings);
  const asText = (): string =>
    groups
      .flatMap((group) => group.findings)
      .map((finding) => findingLine(finding, textOf(finding)))
      .join('\n');
  return (
    <div className={styles.list}>
      {groups.map((group) => (
        <FindingSection key={group.severity} group={group} isCounted={isCounted} linkOf={linkOf} />
      ))}
      <CopyButton
        className={styles.copy}
        variant="quiet"
        text={asText}
        labels={{ idle: t('copy'), copied: common('copied'), failed: common('copy_failed') }}
      />
    </div>
  );
}

type FindingSectionProps = {
  group: FindingGroup;
  isCounted: boolean;
  linkOf: FindingListProps['linkOf'];
};

function FindingSection({ group: { severity, findings }, isCounted, linkOf }: FindingSectionProps) {
  const t = useTranslations('finding.list');
  const id = useId();
  const [isExpanded, setIsExpanded] = useState(false);
  const { icon, count } = SEVERITY_LOOK[severity];
  const shown = isExpanded ? findings : findings.slice(0, SHOWN_AT_FIRST);
  const left = findings.length - shown.length;
  return (
    <section className={classNames(styles.section, styles[severity])} aria-labelledby={id}>
      <p id={id} className={isCounted ? visuallyHidden.hidden : styles.heading}>
        {icon}
        {t(count, { count: findings.length })}
      </p>
      <ul className={styles.items}>
        {shown.map((finding, place) => (
          <FindingItem
            key={`${place} ${finding.code} ${finding.pointer}`}
            finding={finding}
            icon={isCounted ? icon : undefined}
            to={linkOf?.(finding)}
          />
        ))}
      </ul>
      {left > 0 && (
        <Button variant="quiet" size="s" className={styles.more} onClick={() => setIsExpanded(true)}>
          {t('more', { count: left })}
        </Button>
      )}
    </section>
  );
}

type FindingItemProps = { finding: Finding; icon: ReactNode; to: string | undefined };

/** One finding: its text, its place, and how to fix it, in a new tab; a note needs no fix. */
function FindingItem({ finding, icon, to }: FindingItemProps) {
  const t = useTranslations('finding.list');
  const textOf = useFindingText();
  const { code, severity, pointer, file, line, column, params: { publisher, handle } = {} } = finding;
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
        <p className={styles.text}>{textOf(finding)}</p>
        {(pointer !== '' || file !== undefined || line !== undefined) && (
          <p className={styles.place}>
            {to === undefined ? (
              place
            ) : (
              // The opened panel scrolls to the place itself.
              <Link to={to} preventScrollReset>
                {place}
              </Link>
            )}
          </p>
        )}
        {publisher !== undefined && handle !== undefined && (
          <a className={styles.docs} href={publisherPath(handle)} target="_blank" rel="noopener">
            {t('publisher', { publisher })}
          </a>
        )}
        {severity !== 'notice' && isFindingCode(code) && (
          <a className={styles.docs} href={`${DOCS_PATH}#finding-${code}`} target="_blank" rel="noopener">
            <ShortText full={t('docs_named', { code })}>{t('docs')}</ShortText>
          </a>
        )}
      </div>
    </li>
  );
}

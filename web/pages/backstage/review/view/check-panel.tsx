import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { FindingList } from '../../../../features/findings/finding-list.tsx';
import { NetworkAccess } from '../../../../features/plugins/detail/network-access.tsx';
import { CheckIcon } from '../../../../ui/icon/action-icons.tsx';
import { useListFilter } from '../../filters/use-list-filter.ts';
import { partOf } from '../code/finding-place.ts';
import styles from './review-view.module.css';

/** What the check of the package found, each finding with the way to its place. */
export function CheckPanel({ detail: { item, preview, rights } }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  const { query } = useListFilter('unaudited');
  const linkOf = (finding: Finding): string | undefined => {
    const part = partOf(finding);
    if (part === undefined) return undefined;
    const next = new URLSearchParams(query);
    next.set('part', part);
    next.set('finding', String(item.findings.indexOf(finding)));
    return `?${next}`;
  };
  return (
    <>
      {item.findings.length > 0 ? (
        <FindingList findings={item.findings} linkOf={linkOf} />
      ) : (
        <p className={styles.fine}>
          <CheckIcon />
          {t('no_findings')}
        </p>
      )}
      {!rights && <NetworkAccess plugin={preview} />}
    </>
  );
}

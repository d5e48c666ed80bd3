import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { Lazy } from '../../../../loading/lazy.tsx';
import { lazyWithRetry } from '../../../../loading/lazy-with-retry.ts';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../../ui/tabs/tabs.tsx';
import { useListFilter } from '../../filters/list-filter.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { DateTime } from '../../frame/date-time.tsx';
import { UserLabel } from '../../frame/user-label.tsx';
import type { Layout } from '../code/code-view.tsx';
import { PARTS, type Part } from '../seen-parts.ts';
import { CheckPanel } from './check-panel.tsx';
import styles from './review-view.module.css';

const listingPanel = lazyWithRetry(async () => (await import('../listing/listing-panel.tsx')).ListingPanel);
const codePanel = lazyWithRetry(async () => (await import('../code/code-panel.tsx')).CodePanel);

type Props = {
  detail: AuditDetail;
  /** Parts that the reviewer has seen. */
  seen: readonly Part[];
  onSee: (part: Part) => void;
};

/** The tabs of a submission; what was seen is ticked. */
export function ReviewTabs({ detail, seen, onSee }: Props) {
  const t = useTranslations('review');
  const { query, setParameters } = useListFilter('unaudited');
  const tab = PARTS.find((name) => name === query.get('part')) ?? 'check';
  // Each finding opens in the last chosen layout.
  const [layout, setLayout] = useState<Layout>('unified');
  const see = useEffectEvent(onSee);
  useEffect(() => {
    if (tab !== 'code') see(tab);
  }, [tab]);
  const counts: Partial<Record<Part, number>> = {
    check: detail.item.findings.length,
    history: detail.history.length,
  };
  return (
    <>
      <Tabs
        label={t('parts')}
        value={tab}
        onChange={(next) => setParameters({ part: next, finding: '' })}
        tabs={PARTS.map((id) => ({
          id,
          label: t(`part_${id}`),
          count: counts[id],
          mark: seen.includes(id) ? { tone: 'seen', label: t('seen') } : undefined,
        }))}
        panel="part"
      />
      <div id="part" role="tabpanel" aria-label={t(`part_${tab}`)} className={styles.panel}>
        <Panel
          tab={tab}
          detail={detail}
          finding={detail.item.findings[Number(query.get('finding') ?? -1)]}
          layout={layout}
          onLayout={setLayout}
          onCodeShown={() => onSee('code')}
        />
      </div>
    </>
  );
}

type PanelProps = {
  tab: Part;
  detail: AuditDetail;
  finding: Finding | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  onCodeShown: () => void;
};

function Panel({ tab, detail, finding, layout, onLayout, onCodeShown }: PanelProps) {
  const place = <Skeleton shape="block" className={styles.loading} />;
  if (tab === 'listing')
    return (
      <Lazy part={listingPanel} fallback={place}>
        {(ListingPanel) => <ListingPanel detail={detail} target={finding} />}
      </Lazy>
    );
  if (tab === 'code')
    return (
      <Lazy part={codePanel} fallback={place}>
        {(CodePanel) => (
          <CodePanel
            item={detail.item}
            target={finding}
            layout={layout}
            onLayout={onLayout}
            onShown={onCodeShown}
          />
        )}
      </Lazy>
    );
  if (tab === 'history') return <HistoryPanel history={detail.history} />;
  return <CheckPanel detail={detail} />;
}

/** Earlier decisions on the plugin, newest first. */
function HistoryPanel({ history }: { history: AuditDetail['history'] }) {
  const t = useTranslations('review');
  if (history.length === 0) return <p className={styles.muted}>{t('no_history')}</p>;
  return (
    <ol className={styles.history}>
      {history.map(({ submission_id, version, audit_status, reason, reviewer, decided_at }) => (
        <li key={`${submission_id} ${decided_at}`} className={styles.decision}>
          <StatusBadge status={audit_status} />
          <span>{version}</span>
          <UserLabel user={reviewer} />
          <span className={styles.muted}>
            <DateTime at={decided_at} />
          </span>
          {reason && <p className={styles.reason}>{reason}</p>}
        </li>
      ))}
    </ol>
  );
}

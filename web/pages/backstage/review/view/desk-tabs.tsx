import { lazy, Suspense, useState } from 'react';
import { useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../../ui/tabs/tabs.tsx';
import { useListFilter } from '../../filters/use-list-filter.ts';
import type { Layout } from '../code/code-view.tsx';
import { CheckPanel } from './check-panel.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { PreviewPanel } from './preview-panel.tsx';
import styles from './review-view.module.css';

const ListingPanel = lazy(async () => ({
  default: (await import('../listing/listing-panel.tsx')).ListingPanel,
}));
const CodePanel = lazy(async () => ({ default: (await import('../code/code-panel.tsx')).CodePanel }));

const PARTS = ['check', 'listing', 'code', 'preview', 'history'] as const;
type Part = (typeof PARTS)[number];

/** What there is to look at, one part at a time. */
export function DeskTabs({ detail }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  const { query, setParameters } = useListFilter('unaudited');
  const part = PARTS.find((name) => name === query.get('part')) ?? 'check';
  // Each finding opens in the layout that was chosen for the one before.
  const [layout, setLayout] = useState<Layout>('unified');
  const counts: Partial<Record<Part, number>> = {
    check: detail.item.findings.length,
    history: detail.history.length,
  };
  return (
    <>
      <Tabs
        label={t('parts')}
        value={part}
        onChange={(next) => setParameters({ part: next, finding: '' })}
        tabs={PARTS.map((id) => ({ id, label: t(`part_${id}`), count: counts[id] }))}
        panel="part"
      />
      <div id="part" role="tabpanel" aria-label={t(`part_${part}`)} className={styles.panel}>
        <Suspense fallback={<Skeleton shape="block" className={styles.loading} />}>
          <Panel
            part={part}
            detail={detail}
            finding={detail.item.findings[Number(query.get('finding') ?? -1)]}
            layout={layout}
            onLayout={setLayout}
          />
        </Suspense>
      </div>
    </>
  );
}

type PanelProps = {
  part: Part;
  detail: AuditDetail;
  finding: Finding | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
};

function Panel({ part, detail, finding, layout, onLayout }: PanelProps) {
  if (part === 'listing') return <ListingPanel detail={detail} target={finding} />;
  if (part === 'code') {
    return <CodePanel item={detail.item} target={finding} layout={layout} onLayout={onLayout} />;
  }
  if (part === 'preview') return <PreviewPanel plugin={detail.preview} />;
  if (part === 'history') return <HistoryPanel history={detail.history} />;
  return <CheckPanel detail={detail} />;
}

import CheckIcon from 'lucide-react/icons/check';
import { lazy, Suspense, useState } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { AuditDetail } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import type { PluginDetail } from '../../../../../shared/entities/plugin.ts';
import { FindingList } from '../../../../features/findings/finding-list.tsx';
import { NetworkAccess } from '../../../../features/plugins/detail/network-access.tsx';
import { PanelPicture } from '../../../../features/plugins/detail/panel-picture.tsx';
import { PlainText } from '../../../../features/plugins/detail/plain-text.tsx';
import { PluginFacts, PluginTags } from '../../../../features/plugins/detail/plugin-facts.tsx';
import { PluginGallery } from '../../../../features/plugins/detail/plugin-gallery.tsx';
import { PluginTitle } from '../../../../features/plugins/detail/plugin-title.tsx';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../../ui/tabs/tabs.tsx';
import { VisitorGate } from '../../../visitor-gate.tsx';
import { useListFilter } from '../../filters/list-filter.ts';
import { StatusBadge } from '../../filters/status-badge.tsx';
import { DateTime } from '../../frame/date-time.tsx';
import { UserLabel } from '../../frame/user-label.tsx';
import type { Layout } from '../code/code-view.tsx';
import { tabOfFinding } from '../code/finding-place.ts';
import styles from './review-view.module.css';

const ListingPanel = lazy(async () => ({
  default: (await import('../listing/listing-panel.tsx')).ListingPanel,
}));
const CodePanel = lazy(async () => ({ default: (await import('../code/code-panel.tsx')).CodePanel }));

const TAB_NAMES = ['check', 'listing', 'code', 'preview', 'history'] as const;
type TabName = (typeof TAB_NAMES)[number];

/** The tabs of a submission. */
export function DeskTabs({ detail }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  const { query, setParameters } = useListFilter('unaudited');
  const tab = TAB_NAMES.find((name) => name === query.get('part')) ?? 'check';
  // Each finding opens in the last chosen layout.
  const [layout, setLayout] = useState<Layout>('unified');
  const counts: Partial<Record<TabName, number>> = {
    check: detail.item.findings.length,
    history: detail.history.length,
  };
  return (
    <>
      <Tabs
        label={t('parts')}
        value={tab}
        onChange={(next) => setParameters({ part: next, finding: '' })}
        tabs={TAB_NAMES.map((id) => ({ id, label: t(`part_${id}`), count: counts[id] }))}
        panel="part"
      />
      <div id="part" role="tabpanel" aria-label={t(`part_${tab}`)} className={styles.panel}>
        <Suspense fallback={<Skeleton shape="block" className={styles.loading} />}>
          <Panel
            tab={tab}
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
  tab: TabName;
  detail: AuditDetail;
  finding: Finding | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
};

function Panel({ tab, detail, finding, layout, onLayout }: PanelProps) {
  if (tab === 'listing') return <ListingPanel detail={detail} target={finding} />;
  if (tab === 'code') {
    return <CodePanel item={detail.item} target={finding} layout={layout} onLayout={onLayout} />;
  }
  if (tab === 'preview') return <PreviewPanel plugin={detail.preview} />;
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

/** Findings of the package check, each linked to its place. */
function CheckPanel({ detail: { item, preview, rights } }: { detail: AuditDetail }) {
  const t = useTranslations('review');
  const { query } = useListFilter('unaudited');
  const linkOf = (finding: Finding): string | undefined => {
    const tab = tabOfFinding(finding);
    if (tab === undefined) return undefined;
    const next = new URLSearchParams(query);
    next.set('part', tab);
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

/** The plugin's page as users will see it, without actions. */
function PreviewPanel({ plugin }: { plugin: PluginDetail }) {
  const locale = useLocale();
  const lang = plugin.description_lang === locale ? undefined : plugin.description_lang;
  return (
    <VisitorGate>
      <article className={styles.preview}>
        <div className={styles.previewHead}>
          <PluginTitle plugin={plugin} />
        </div>
        <div className={styles.previewMain}>
          <PluginGallery plugin={plugin} />
          <PanelPicture plugin={plugin} />
          <PlainText text={plugin.description} lang={lang} />
          <PluginTags tags={plugin.tags} />
        </div>
        <div className={styles.previewAside}>
          <NetworkAccess plugin={plugin} />
          <PluginFacts plugin={plugin} />
        </div>
      </article>
    </VisitorGate>
  );
}

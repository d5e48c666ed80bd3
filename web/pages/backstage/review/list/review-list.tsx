import { useInfiniteQuery } from '@tanstack/react-query';
import ClipboardCheckIcon from 'lucide-react/icons/clipboard-check';
import InfoIcon from 'lucide-react/icons/info';
import { type ReactNode, useState } from 'react';
import { useTranslations } from 'use-intl';
import { AUDIT_PASSED, AUDIT_REFUSED } from '../../../../../shared/constants.ts';
import { useLastSession } from '../../../../features/session/use-session.ts';
import { ListTotal } from '../../../../layout/list-total.tsx';
import { Notice } from '../../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../../ui/page-header/page-header.tsx';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import { Tabs } from '../../../../ui/tabs/tabs.tsx';
import { PagedList } from '../../../paged-list.tsx';
import { FilterBar } from '../../filters/filter-bar.tsx';
import { isNarrowed, STATUS_NAMES, type StatusName, useListFilter } from '../../filters/list-filter.ts';
import { Checklist, useIsChecklistSettled } from '../../frame/checklist.tsx';
import { ShortcutsButton } from '../../shortcuts/shortcuts-button.tsx';
import { auditsQuery } from '../audits-query.ts';
import { BulkDialog, type BulkTask } from '../decide/bulk-dialog.tsx';
import type { Decision } from '../decide/decision.ts';
import { isDecidable } from '../submission.ts';
import notes from '../view/notes.module.css';
import { DecisionBanner, OwnSubmissionNote } from '../view/notes.tsx';
import styles from './review-list.module.css';
import { ReviewTable, useRows } from './review-table.tsx';
import { SelectionBar, useSelection } from './selection-bar.tsx';

/** Submissions pending review, oldest first, and decided ones (R 7.1). */
export function ReviewList() {
  const t = useTranslations('review');
  const status = useTranslations('status');
  const me = useLastSession().user?.user_id;
  const { filter, change } = useListFilter('unaudited');
  const [task, setTask] = useState<BulkTask>();
  const query = useInfiniteQuery({ ...auditsQuery(filter), placeholderData: (previous) => previous });
  const items = query.data?.pages.flatMap((page) => page.audit_list) ?? [];
  const [first] = query.data?.pages ?? [];
  const selection = useSelection(items, me);
  const more = (): void => {
    if (query.hasNextPage && !query.isFetchingNextPage) void query.fetchNextPage();
  };
  const rows = useRows(
    items.map(({ submission_id }) => submission_id),
    more,
  );
  const at = items.find(({ submission_id }) => submission_id === rows.current);
  const { selected, leftOut, barred } = selection;
  const ask = (verdict: Decision) => (): void => {
    const isSelection = selected.length + leftOut.length > 0;
    const chosen = isSelection ? selected : at && isDecidable(at, me) ? [at] : [];
    const shown = isSelection ? [...selected, ...leftOut, ...barred] : chosen;
    if (shown.length > 0) setTask({ items: shown, chosen, verdict });
  };
  const byId = new Map(items.map((item) => [item.submission_id, item]));
  // The queue comes first: what the site lacks is below it, or above an empty one, and nothing moves once it is shown.
  const isChecklistSettled = useIsChecklistSettled();
  const checklistPlace = query.isPending ? undefined : first?.waiting === 0 ? 'above' : 'below';
  const isPlaced = checklistPlace === 'below' || (checklistPlace === 'above' && isChecklistSettled);
  const emptyStatus = first?.submitted === 0 ? 'all' : filter.status;
  const isAllBarred = items.length > 0 && items.every(({ is_barred }) => is_barred);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <ShortcutsButton
            isCovered={task !== undefined}
            commands={[
              { key: 'j', text: t('key_next_row'), action: () => rows.move(1) },
              { key: 'k', text: t('key_previous_row'), action: () => rows.move(-1) },
              { key: 'Enter', text: t('key_open') },
              {
                key: 'x',
                text: t('key_select'),
                action: () => at && isDecidable(at, me) && selection.toggle(at),
              },
              { key: 'a', text: t('key_approve_list'), action: ask(AUDIT_PASSED) },
              { key: 'r', text: t('key_reject_list'), action: ask(AUDIT_REFUSED) },
            ]}
          />
        }
      />
      {isPlaced ? (
        <>
          {checklistPlace === 'above' && <Checklist />}
          <DecisionBanner />
          <StatusTabs
            value={filter.status}
            onChange={(status) => change({ status })}
            counts={{
              unaudited: first?.waiting,
              ...(!query.isPlaceholderData && { [filter.status]: first && <ListTotal of={first} /> }),
            }}
            panel="audits"
          />
          <div id="audits" ref={rows.list} role="tabpanel" aria-label={status(filter.status)}>
            <FilterBar filter={filter} onChange={change} />
            {isAllBarred && filter.status === 'unaudited' && (
              <p className={notes.note} role="status">
                <InfoIcon />
                <OwnSubmissionNote />
              </p>
            )}
            <PagedList
              query={query}
              isEmpty={items.length === 0}
              empty={
                <Notice
                  icon={<ClipboardCheckIcon size={22} />}
                  title={t(isNarrowed(filter) ? 'empty_found' : `empty_${emptyStatus}`)}
                  text={t(isNarrowed(filter) ? 'empty_found_text' : 'empty_text')}
                />
              }
            >
              <ReviewTable
                items={items}
                busy={query.isPlaceholderData}
                status={filter.status}
                selection={selection}
                onVisit={rows.setCurrent}
              />
            </PagedList>
          </div>
        </>
      ) : (
        <Skeleton shape="block" className={styles.loading} />
      )}
      <SelectionBar
        count={selected.length}
        leftOut={leftOut.length}
        onApprove={ask(AUDIT_PASSED)}
        onReject={ask(AUDIT_REFUSED)}
        onClear={selection.clear}
      />
      {checklistPlace === 'below' && <Checklist />}
      {task && (
        <BulkDialog
          {...task}
          items={task.items.map((item) => byId.get(item.submission_id) ?? item)}
          place={rows.list}
          onClose={(isDecided) => {
            setTask(undefined);
            if (isDecided) selection.clear();
          }}
        />
      )}
    </>
  );
}

type Props = {
  value: StatusName;
  onChange: (status: StatusName) => void;
  counts: Partial<Record<StatusName, ReactNode>>;
  panel: string;
};

/** All, Unreviewed, Approved, Unapproved (R 7.1). */
function StatusTabs({ value, onChange, counts, panel }: Props) {
  const t = useTranslations('manage');
  const status = useTranslations('status');
  return (
    <Tabs
      label={t('statuses')}
      value={value}
      onChange={onChange}
      tabs={STATUS_NAMES.map((id) => ({ id, label: status(id), count: counts[id] }))}
      panel={panel}
    />
  );
}

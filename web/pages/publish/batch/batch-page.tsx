import ArrowLeftIcon from 'lucide-react/icons/arrow-left';
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BATCH_BYTES_MAX, BATCH_ITEMS_MAX } from '../../../../shared/constants.ts';
import { inMegabytes } from '../../../../shared/package/package.ts';
import { DeveloperDocsLink } from '../../../features/plugins/developer-docs-link.tsx';
import { LeaveGuard } from '../../../layout/leave-guard.tsx';
import { usePageHead } from '../../../layout/page-head.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FileDrop } from '../../../ui/file-drop/file-drop.tsx';
import { useLeftOut } from '../../../ui/file-drop/use-left-out.ts';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Progress } from '../../../ui/progress/progress.tsx';
import { AccessGate } from '../../access-gate/access-gate.tsx';
import { PublishFormAlert } from '../form/sending/form-notes.tsx';
import { useObjectUrls, usePageFiles } from '../form/use-page-files.ts';
import { MY_PLUGINS_PATH } from '../publish-paths.ts';
import styles from './batch.module.css';
import { BatchBar, BatchOutcome, BatchRemoved } from './batch-bar.tsx';
import { isDone } from './batch-row.ts';
import { editRow, removeAll, removeDone, summaryOf } from './batch-state.ts';
import { BatchTable } from './batch-table.tsx';
import { RowEditor } from './row-editor.tsx';
import { formProblems } from './row-findings.ts';
import { useBatchRows } from './use-batch-rows.ts';
import { useRowChecks } from './use-row-checks.ts';
import { useSendBatch } from './use-send-batch.ts';

/** Many packages at once, for those who may publish (R 2.3). */
export function BatchPage() {
  const t = useTranslations('batch');
  usePageHead({ title: t('title') });
  return (
    <AccessGate needs="publisher">
      <Batch />
    </AccessGate>
  );
}

/** Reads packages, lists them, submits them, and shows the result of each. */
function Batch() {
  const t = useTranslations('batch');
  const batch = useBatchRows();
  const { rows, removed, change, match, isMatching, recheck, restore, read, replace, reader, problem } =
    batch;
  const [editing, setEditing] = useState<number>();
  const urlOf = useObjectUrls();
  const { sending, send, stop, isSending } = useSendBatch({ change, match });
  const isBusy = isSending || reader.progress !== undefined;
  const summary = summaryOf(rows);
  const edited = rows.find(({ id }) => id === editing);
  useRowChecks({ rows: summary.sendable, isBusy: isBusy || edited !== undefined, change });
  const hasUnsent = rows.some((row) => !isDone(row));
  const leaveOut = useLeftOut();
  const take = (files: readonly File[]): void => {
    if (isBusy || edited) leaveOut(files);
    else void read(files);
  };
  usePageFiles(take, true);
  const limits = { items: BATCH_ITEMS_MAX, size: inMegabytes(BATCH_BYTES_MAX) };
  return (
    <div className={styles.page}>
      <PageHeader
        back={
          <Link to={MY_PLUGINS_PATH}>
            <ArrowLeftIcon />
            {t('back')}
          </Link>
        }
        title={t('title')}
        lead={t('lead')}
        actions={<DeveloperDocsLink />}
      />
      <FileDrop
        label={t('drop_label')}
        prompt={t('drop_prompt')}
        hint={t('drop_hint', limits)}
        accept=".json,application/json"
        multiple
        disabled={isBusy}
        onFiles={take}
      />
      {reader.progress !== undefined && (
        <ReadingProgress progress={reader.progress} onCancel={reader.cancel} />
      )}
      {problem && <PublishFormAlert title={t(problem, { limit: BATCH_ITEMS_MAX })} />}
      <BatchOutcome sending={sending} summary={summary} />
      {rows.length > 0 && (
        <BatchTable
          rows={rows}
          isLocked={isBusy}
          change={change}
          onReplace={(row, file) => void replace(row, file)}
          onOpen={setEditing}
          onRecheck={() => void recheck()}
        />
      )}
      <div className={styles.end}>
        <BatchRemoved rows={removed} isLocked={isBusy} onUndo={() => void restore()} />
        {rows.length > 0 && (
          <BatchBar
            summary={summary}
            sending={sending}
            isLocked={isBusy}
            isMatching={isMatching}
            onSend={() => send(summary.sendable)}
            onStop={stop}
            onClear={(which) => change(which === 'all' ? removeAll : removeDone)}
          />
        )}
      </div>
      <RowEditor
        row={edited}
        problems={edited ? formProblems(edited, rows) : []}
        urlOf={urlOf}
        onClose={(id, edit) => {
          setEditing(undefined);
          if (edit) change((now) => editRow(now, id, edit));
        }}
      />
      <LeaveGuard
        isActive={hasUnsent}
        title={t('leave_title')}
        text={t('leave_text')}
        confirmLabel={t('leave_confirm')}
        cancelLabel={t('leave_cancel')}
      />
    </div>
  );
}

type ReadingProgressProps = { progress: number; onCancel: () => void };

function ReadingProgress({ progress, onCancel }: ReadingProgressProps) {
  const t = useTranslations('batch');
  const common = useTranslations('common');
  return (
    <div className={styles.reading}>
      <div className={styles.grow}>
        <Progress label={t('reading')} value={progress} />
      </div>
      <Button variant="outline" size="s" onClick={onCancel}>
        {common('cancel')}
      </Button>
    </div>
  );
}

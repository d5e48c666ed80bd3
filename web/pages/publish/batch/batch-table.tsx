import PencilIcon from 'lucide-react/icons/pencil';
import RefreshCwIcon from 'lucide-react/icons/refresh-cw';
import TrashIcon from 'lucide-react/icons/trash';
import { useId, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { FindingCounts } from '../../../features/findings/finding-counts.tsx';
import { FindingList } from '../../../features/findings/finding-list.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { Disclosure } from '../../../ui/disclosure/disclosure.tsx';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import visuallyHidden from '../../../ui/visually-hidden/visually-hidden.module.css';
import { useFormatBytes } from '../use-format-bytes.ts';
import { type BatchRow, isDone } from './batch-row.ts';
import { applyStashedEdits, discardStashedEdits, removeRow } from './batch-state.ts';
import styles from './batch-table.module.css';
import { RowPlugin, RowTarget, RowVersion } from './row-cells.tsx';
import { firstButtonId, type RowActions, RowContext, useRow } from './row-context.ts';
import type { StashedEdits } from './row-edits.ts';
import { findingsOf } from './row-findings.ts';
import { RowState } from './row-state.tsx';

type BatchTableProps = RowActions & { rows: readonly BatchRow[]; isLocked: boolean };

/** The packages, one per row; as cards on phones. */
export function BatchTable(props: BatchTableProps) {
  const t = useTranslations('batch');
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={visuallyHidden.hidden}>{t('caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('col_plugin')}</th>
            <th scope="col">{t('col_version')}</th>
            <th scope="col">{t('col_target')}</th>
            <th scope="col">{t('col_state')}</th>
            <th scope="col" className={styles.number}>
              {t('col_size')}
            </th>
            <th scope="col">
              <span className={visuallyHidden.hidden}>{t('col_actions')}</span>
            </th>
          </tr>
        </thead>
        {props.rows.map((row) => (
          <TableRow key={row.id} row={row} {...props} />
        ))}
      </table>
    </div>
  );
}

type TableRowProps = BatchTableProps & { row: BatchRow };

/** One package: content, target plugin, state, and its findings below. */
function TableRow(props: TableRowProps) {
  const t = useTranslations('batch');
  const bytes = useFormatBytes();
  const { row, rows } = props;
  const findings = findingsOf(row, rows);
  const isRead = row.item.package !== null;
  const name = row.name || row.item.fileName;
  // Missing fields are listed beside it and in the row's form.
  const hasErrors = findings.some(({ severity, code }) => severity === 'error' && code !== 'FIELD_REQUIRED');
  return (
    <RowContext value={{ ...props, name, findings }}>
      <tbody className={styles.row}>
        <tr>
          <th scope="row" className={styles.plugin}>
            <RowPlugin />
          </th>
          <td className={styles.version} data-label={t('col_version')}>
            {isRead && <RowVersion />}
          </td>
          <td className={styles.target} data-label={t('col_target')}>
            {isRead && <RowTarget />}
          </td>
          <td data-label={t('col_state')}>
            <RowState />
          </td>
          <td className={styles.number} data-label={t('col_size')}>
            {bytes(row.item.content.size)}
          </td>
          <td className={styles.buttons}>{!isDone(row) && <RowButtons />}</td>
        </tr>
        {row.setAsides.length > 0 && (
          <tr>
            <td colSpan={6} className={styles.notes}>
              {row.setAsides.map((setAside) => (
                <StashedEditsNote key={setAside.plugin} setAside={setAside} />
              ))}
            </td>
          </tr>
        )}
        {findings.length > 0 && (
          <tr>
            <td colSpan={6} className={styles.findings}>
              <Disclosure
                key={`${row.state.kind} ${hasErrors}`}
                label={<FindingCounts findings={findings} />}
                defaultOpen={hasErrors}
              >
                <FindingList findings={findings} isCounted />
              </Disclosure>
            </td>
          </tr>
        )}
      </tbody>
    </RowContext>
  );
}

/** Buttons: edit a row, replace its file, or remove it. */
function RowButtons() {
  const t = useTranslations('batch');
  const { row, name, isLocked, change, onReplace, onOpen } = useRow();
  const chooser = useRef<HTMLInputElement>(null);
  return (
    <div className={styles.pair}>
      <input
        ref={chooser}
        type="file"
        hidden
        accept=".json,application/json"
        aria-label={t('replace', { name })}
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          target.value = '';
          if (file) onReplace(row, file);
        }}
      />
      {row.item.package && (
        <Tooltip text={t('edit', { name })}>
          <IconButton
            id={firstButtonId(row.id)}
            size="s"
            label={t('edit', { name })}
            icon={<PencilIcon />}
            disabled={isLocked}
            onClick={() => onOpen(row.id)}
          />
        </Tooltip>
      )}
      <Tooltip text={t('replace', { name })}>
        <IconButton
          {...(!row.item.package && { id: firstButtonId(row.id) })}
          size="s"
          label={t('replace', { name })}
          icon={<RefreshCwIcon />}
          disabled={isLocked}
          onClick={() => chooser.current?.click()}
        />
      </Tooltip>
      <Tooltip text={t('remove', { name })}>
        <IconButton
          size="s"
          label={t('remove', { name })}
          icon={<TrashIcon />}
          disabled={isLocked}
          onClick={() => change((now) => removeRow(now, row.id))}
        />
      </Tooltip>
    </div>
  );
}

/** Reports set-aside edits of the row's previous plugin and asks whether to apply them. */
function StashedEditsNote({ setAside }: { setAside: StashedEdits }) {
  const t = useTranslations('batch');
  const publish = useTranslations('publish');
  const format = useFormatter();
  const id = useId();
  const { row, isLocked, change } = useRow();
  const decide = (update: typeof applyStashedEdits): void => {
    // These buttons are removed with their note.
    document.getElementById(firstButtonId(row.id))?.focus();
    change((now) => update(now, row.id, setAside));
  };
  const fields = format.list(
    setAside.fields.map((name) =>
      name === 'cover' || name === 'panel' || name === 'media' ? publish(name) : publish(`field_${name}`),
    ),
  );
  return (
    <div className={styles.aside}>
      <p className={styles.asideText} id={id} role="status">
        {t('aside', { name: setAside.name, fields })}
      </p>
      {row.item.package !== null && !isLocked && !isDone(row) && (
        <>
          <Button variant="outline" size="s" aria-describedby={id} onClick={() => decide(applyStashedEdits)}>
            {t('aside_use')}
          </Button>
          <Button variant="quiet" size="s" aria-describedby={id} onClick={() => decide(discardStashedEdits)}>
            {t('aside_drop')}
          </Button>
        </>
      )}
    </div>
  );
}

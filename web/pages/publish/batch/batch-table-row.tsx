import { useTranslations } from 'use-intl';
import { FindingCounts } from '../../../features/findings/finding-counts.tsx';
import { FindingList } from '../../../features/findings/finding-list.tsx';
import { useBytesText } from '../../../features/publishing/use-bytes-text.ts';
import { Disclosure } from '../../../ui/disclosure/disclosure.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { type BatchRow, isDone } from './batch-row.ts';
import styles from './batch-table.module.css';
import type { RowActions } from './batch-table.tsx';
import { RowAsides } from './row-asides-note.tsx';
import { RowButtons } from './row-buttons.tsx';
import { shownFindings } from './row-findings.ts';
import { RowPlugin } from './row-plugin.tsx';
import { RowState } from './row-state.tsx';
import { RowTarget } from './row-target.tsx';

type BatchTableRowProps = RowActions & { row: BatchRow; rows: readonly BatchRow[]; isLocked: boolean };

/** One package: what it is, what it becomes, how it stands, and below what was found in it. */
export function BatchTableRow({ row, rows, isLocked, ...actions }: BatchTableRowProps) {
  const t = useTranslations('batch');
  const bytes = useBytesText();
  const findings = shownFindings(row, rows);
  const isFixed = isLocked || isDone(row);
  const isRead = row.item.package !== null;
  const name = row.name || row.item.fileName;
  // What is missing is said beside it, and in the row's form.
  const hasErrors = findings.some(({ severity, code }) => severity === 'error' && code !== 'FIELD_REQUIRED');
  return (
    <tbody className={styles.row}>
      <tr>
        <th scope="row" className={styles.plugin}>
          <RowPlugin row={row} isFixed={isFixed} onEdit={(edit) => actions.onEdit(row.id, edit)} />
        </th>
        <td className={styles.version} data-label={t('col_version')}>
          {isRead && isDone(row) && row.state.kind === 'done' && (
            <span>{row.state.result.version ?? row.version}</span>
          )}
          {isRead && !isDone(row) && (
            <TextField
              size="small"
              hideLabel
              label={t('version_of', { name })}
              value={row.version}
              placeholder="1.0.0"
              disabled={isFixed}
              autoComplete="off"
              spellCheck={false}
              onValueChange={(version) => actions.onEdit(row.id, { version })}
            />
          )}
        </td>
        <td className={styles.target} data-label={t('col_target')}>
          {isRead && (
            <RowTarget
              row={row}
              isFixed={isFixed}
              onChoose={(chosen) => actions.onEdit(row.id, { chosen })}
            />
          )}
        </td>
        <td data-label={t('col_state')}>
          <RowState row={row} rows={rows} isLocked={isLocked} {...actions} />
        </td>
        <td className={styles.number} data-label={t('col_size')}>
          {bytes(row.item.content.size)}
        </td>
        <td className={styles.buttons}>
          {!isDone(row) && <RowButtons row={row} isLocked={isLocked} {...actions} />}
        </td>
      </tr>
      {row.asides.length > 0 && (
        <tr>
          <td colSpan={6} className={styles.asides}>
            <RowAsides row={row} isFixed={isFixed} onAside={actions.onAside} />
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
  );
}

import { useTranslations } from 'use-intl';
import { FindingCounts } from '../../../features/findings/finding-counts.tsx';
import { FindingList } from '../../../features/findings/finding-list.tsx';
import { useBytesText } from '../../../features/publishing/use-bytes-text.ts';
import { Disclosure } from '../../../ui/disclosure/disclosure.tsx';
import { type BatchRow, isDone } from './batch-row.ts';
import styles from './batch-table.module.css';
import { RowAside, RowButtons } from './row-buttons.tsx';
import { RowPlugin, RowTarget, RowVersion } from './row-cells.tsx';
import { type RowActions, RowContext } from './row-context.ts';
import { shownFindings } from './row-findings.ts';
import { RowState } from './row-state.tsx';

type BatchTableProps = RowActions & { rows: readonly BatchRow[]; isLocked: boolean };

/** The packages that were read, one per row; a card each on telephones. */
export function BatchTable(props: BatchTableProps) {
  const t = useTranslations('batch');
  return (
    <div className={styles.frame}>
      <table className={styles.table}>
        <caption className={styles.unseen}>{t('caption')}</caption>
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
              <span className={styles.unseen}>{t('col_actions')}</span>
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

/** One package: what it is, what it becomes, its state, and below what was found in it. */
function TableRow(props: TableRowProps) {
  const t = useTranslations('batch');
  const bytes = useBytesText();
  const { row, rows } = props;
  const findings = shownFindings(row, rows);
  const isRead = row.item.package !== null;
  const name = row.name || row.item.fileName;
  // What is missing is said beside it, and in the row's form.
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
        {row.asides.length > 0 && (
          <tr>
            <td colSpan={6} className={styles.asides}>
              {row.asides.map((aside) => (
                <RowAside key={aside.plugin} aside={aside} />
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

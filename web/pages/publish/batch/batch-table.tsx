import { useTranslations } from 'use-intl';
import type { BatchRow } from './batch-row.ts';
import type { Edit } from './batch-state.ts';
import styles from './batch-table.module.css';
import { BatchTableRow } from './batch-table-row.tsx';
import type { Aside } from './row-asides.ts';

export type RowActions = {
  onEdit: (id: number, edit: Edit) => void;
  onReplace: (row: BatchRow, file: File) => void;
  onRemove: (id: number) => void;
  /** Opens the form of a row. */
  onOpen: (id: number) => void;
  /** Uses what was typed for another plugin, or forgets it. */
  onAside: (id: number, aside: Aside, does: 'take' | 'drop') => void;
  /** Checks all rows again that could not be checked. */
  onRecheck: () => void;
};

type BatchTableProps = RowActions & { rows: readonly BatchRow[]; isLocked: boolean };

/** The packages that were read, one per row; a card each on telephones. */
export function BatchTable({ rows, isLocked, ...actions }: BatchTableProps) {
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
        {rows.map((row) => (
          <BatchTableRow key={row.id} row={row} rows={rows} isLocked={isLocked} {...actions} />
        ))}
      </table>
    </div>
  );
}

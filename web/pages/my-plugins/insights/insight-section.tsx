import DownloadIcon from 'lucide-react/icons/download';
import { type ReactNode, useId } from 'react';
import { useTranslations } from 'use-intl';
import type { InsightTable } from '../../../../shared/constants.ts';
import { download } from '../../../api/download.ts';
import { useOperationBy } from '../../../api/use-operation.ts';
import { Button } from '../../../ui/button/button.tsx';
import { saveFile } from '../../../ui/save-file.ts';
import { Table } from '../../../ui/table/table.tsx';
import styles from './insights.module.css';

type InsightSectionProps = {
  pluginKey: string;
  /** What its file has, of all days. */
  table: InsightTable;
  title: string;
  lead: string;
  isEmpty: boolean;
  /** `thead` and `tbody` of its table, whose cells have the chart. */
  children: ReactNode;
};

/** One question about a plugin: a table with bars, and its file. */
export function InsightSection({ pluginKey, table, title, lead, isEmpty, children }: InsightSectionProps) {
  const t = useTranslations('insights');
  const common = useTranslations('common');
  const id = useId();
  const file = useOperationBy(
    'exportStatistics',
    async () =>
      saveFile(
        await download('exportStatistics', { plugin_key: pluginKey, table }),
        `${pluginKey}-${table}.csv`,
      ),
    { failed: common('failed'), failsIn: 'toast' },
  );
  return (
    <section className={styles.section} aria-labelledby={id}>
      <div className={styles.head}>
        <div>
          <h2 id={id} className={styles.title}>
            {title}
          </h2>
          <p className={styles.lead}>{lead}</p>
        </div>
        <Button
          variant="outline"
          size="s"
          busy={file.isPending}
          aria-label={t('save_csv_of', { title })}
          onClick={() => file.mutate(undefined)}
        >
          <DownloadIcon />
          {t('save_csv')}
        </Button>
      </div>
      {isEmpty ? (
        <p className={styles.empty}>{t('empty')}</p>
      ) : (
        <Table caption={title} hideCaption>
          {children}
        </Table>
      )}
    </section>
  );
}

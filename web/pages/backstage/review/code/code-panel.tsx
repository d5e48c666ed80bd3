import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { queryOptionsOf } from '../../../../api/queries.ts';
import { QueryError } from '../../../../features/plugins/query-error.tsx';
import { SegmentedChoice } from '../../../../ui/segmented/segmented-choice.tsx';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import styles from './code.module.css';
import { CodeFileRow } from './code-file-row.tsx';
import type { Layout } from './code-view.tsx';
import { fileOf, lineIn } from './finding-place.ts';
import { isHeavy } from './heavy.ts';

const LAYOUTS: readonly Layout[] = ['unified', 'split'];

type Props = {
  item: ReviewItem;
  /** What of its findings is looked for. */
  target: Finding | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
};

/** Files of the package beside those of the last passed one; what changed comes first. */
export function CodePanel({ item, target, layout, onLayout }: Props) {
  const t = useTranslations('review');
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readAuditCode', { submission_id: item.submission_id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (error && !data) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton shape="block" className={styles.loading} />;
  const { passed_version, file_list: files } = data;
  const changed = files.filter(isChanged);
  const first = changed.find((file) => !isHeavy(file));
  const findingsIn = (name: string) => item.findings.filter((finding) => fileOf(finding) === name);
  const sought = target && fileOf(target);
  return (
    <>
      <div className={styles.head}>
        <h2 className={styles.heading}>
          {passed_version === null
            ? t('code_new', { count: files.length })
            : changed.length === 0
              ? t('code_same', { version: passed_version })
              : t('code_changed', { count: changed.length, version: passed_version })}
        </h2>
        {changed.some(({ change }) => change === 'changed') && (
          <SegmentedChoice
            label={t('layout')}
            options={LAYOUTS.map((value) => ({ value, label: t(`layout_${value}`) }))}
            value={layout}
            onChange={onLayout}
          />
        )}
      </div>
      <ul className={styles.files}>
        {files.map((file) => (
          <CodeFileRow
            key={target && file.name === sought ? `${file.name} ${item.findings.indexOf(target)}` : file.name}
            file={file}
            findings={findingsIn(file.name)}
            line={target && file.name === sought ? lineIn(file, target) : undefined}
            isNew={passed_version === null}
            layout={layout}
            isOpen={sought === undefined && file === first}
          />
        ))}
      </ul>
    </>
  );
}

function isChanged({ change }: CodeFile): boolean {
  return change !== 'same';
}

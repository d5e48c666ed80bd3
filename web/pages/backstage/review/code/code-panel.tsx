import { useQuery } from '@tanstack/react-query';
import FileCodeIcon from 'lucide-react/icons/file-code';
import { useEffect, useEffectEvent, useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import type { ReviewItem } from '../../../../../shared/entities/review.ts';
import { queryOptionsOf } from '../../../../api/queries.ts';
import { FindingCounts } from '../../../../features/findings/finding-counts.tsx';
import { QueryError } from '../../../../features/plugins/query-error.tsx';
import { Badge, type BadgeTone } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { Disclosure } from '../../../../ui/disclosure/disclosure.tsx';
import { SegmentedChoice } from '../../../../ui/segmented/segmented-choice.tsx';
import { Skeleton } from '../../../../ui/skeleton/skeleton.tsx';
import styles from './code.module.css';
import { CodeView, type Layout } from './code-view.tsx';
import { isAbout, lineOfFinding } from './finding-place.ts';
import { isLargeFile } from './large-file.ts';

const LAYOUTS: readonly Layout[] = ['unified', 'split'];

type Props = {
  item: ReviewItem;
  target: Finding | undefined;
  layout: Layout;
  onLayout: (layout: Layout) => void;
  /** The code is on screen. */
  onShown: () => void;
};

/** Files of the package compared with the last approved one; changed ones first. */
export function CodePanel({ item, target, layout, onLayout, onShown }: Props) {
  const t = useTranslations('review');
  const { data, error, isFetching, refetch } = useQuery({
    ...queryOptionsOf('readAuditCode', { submission_id: item.submission_id }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const isShown = data !== undefined;
  const tell = useEffectEvent(onShown);
  useEffect(() => {
    if (isShown) tell();
  }, [isShown]);
  if (error && !data) return <QueryError error={error} busy={isFetching} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton shape="block" className={styles.loading} />;
  const { passed_version, file_list: files } = data;
  const changed = files.filter(isChanged);
  const first = changed.find((file) => !isLargeFile(file));
  const findingsIn = (file: CodeFile) => item.findings.filter((finding) => isAbout(file, finding));
  const isTarget = (file: CodeFile): boolean => target !== undefined && isAbout(file, target);
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
            key={`${file.kind} ${file.name} ${target && isTarget(file) ? item.findings.indexOf(target) : ''}`}
            file={file}
            findings={findingsIn(file)}
            line={target && isTarget(file) ? lineOfFinding(file, target) : undefined}
            isNew={passed_version === null}
            layout={layout}
            isOpen={!files.some(isTarget) && file === first}
          />
        ))}
      </ul>
    </>
  );
}

function isChanged({ change }: CodeFile): boolean {
  return change !== 'same';
}

const TONES: Readonly<Record<CodeFile['change'], BadgeTone>> = {
  added: 'positive',
  changed: 'warning',
  removed: 'negative',
  same: 'neutral',
};
const KILOBYTE = 1024;

type CodeFileRowProps = {
  file: CodeFile;
  /** No approved version yet: every file is new, so none is marked as added. */
  isNew: boolean;
  layout: Layout;
  findings: readonly Finding[];
  /** Target line, from 1. */
  line: number | undefined;
  isOpen: boolean;
};

/** One file, collapsed unless it has findings; a very large one is rendered on demand. */
function CodeFileRow({ file, isNew, layout, findings, line, isOpen }: CodeFileRowProps) {
  const t = useTranslations('review');
  const format = useFormatter();
  const isLarge = isLargeFile(file);
  const [isRendered, setIsRendered] = useState(!isLarge || line !== undefined);
  const kilobytes = Math.max(1, Math.round((file.after ?? file.before ?? '').length / KILOBYTE));
  const size = format.number(kilobytes, { style: 'unit', unit: 'kilobyte', unitDisplay: 'short' });
  return (
    <li className={styles.file}>
      <Disclosure
        icon={<FileCodeIcon />}
        label={<span className={styles.name}>{file.name}</span>}
        note={
          <>
            {!isNew && <Badge tone={TONES[file.change]}>{t(`change_${file.change}`)}</Badge>}
            <FindingCounts findings={findings} />
            <span className={styles.size}>{size}</span>
          </>
        }
        defaultOpen={isOpen || line !== undefined || findings.length > 0}
      >
        {file.is_cut && <p className={styles.note}>{t('code_cut')}</p>}
        {isRendered ? (
          <CodeView file={file} layout={layout} isLargeFile={isLarge} line={line} />
        ) : (
          <div className={styles.heavy}>
            <p>{t('code_heavy')}</p>
            <Button size="s" onClick={() => setIsRendered(true)}>
              {t('code_show')}
            </Button>
          </div>
        )}
      </Disclosure>
    </li>
  );
}

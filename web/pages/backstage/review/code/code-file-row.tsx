import { useState } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import type { Finding } from '../../../../../shared/entities/finding.ts';
import { FindingCounts } from '../../../../features/findings/finding-counts.tsx';
import { Badge, type BadgeTone } from '../../../../ui/badge/badge.tsx';
import { Button } from '../../../../ui/button/button.tsx';
import { Disclosure } from '../../../../ui/disclosure/disclosure.tsx';
import { CodeFileIcon } from '../../../../ui/icon/file-icons.tsx';
import styles from './code.module.css';
import { CodeView, type Layout } from './code-view.tsx';
import { isHeavy } from './heavy.ts';

const TONES: Readonly<Record<CodeFile['change'], BadgeTone>> = {
  added: 'positive',
  changed: 'warning',
  removed: 'negative',
  same: 'neutral',
};
const KILOBYTE = 1024;

type Props = {
  file: CodeFile;
  /** Nothing has passed yet: that a file was added goes without saying. */
  isNew: boolean;
  layout: Layout;
  findings: readonly Finding[];
  /** Line, from 1, that is gone to. */
  line: number | undefined;
  isOpen: boolean;
};

/** One file, folded unless there are findings in it; one that would slow the page down is shown when that is asked for. */
export function CodeFileRow({ file, isNew, layout, findings, line, isOpen }: Props) {
  const t = useTranslations('review');
  const format = useFormatter();
  const heavy = isHeavy(file);
  const [isWanted, setIsWanted] = useState(!heavy || line !== undefined);
  const kilobytes = Math.max(1, Math.round((file.after ?? file.before ?? '').length / KILOBYTE));
  const size = format.number(kilobytes, { style: 'unit', unit: 'kilobyte', unitDisplay: 'short' });
  return (
    <li className={styles.file}>
      <Disclosure
        icon={<CodeFileIcon />}
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
        {isWanted ? (
          <CodeView file={file} layout={layout} isHeavy={heavy} line={line} />
        ) : (
          <div className={styles.heavy}>
            <p>{t('code_heavy')}</p>
            <Button size="s" onClick={() => setIsWanted(true)}>
              {t('code_show')}
            </Button>
          </div>
        )}
      </Disclosure>
    </li>
  );
}

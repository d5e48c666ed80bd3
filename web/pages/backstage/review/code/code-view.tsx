import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import styles from './code.module.css';
import { showCode } from './show-code.ts';

export type Layout = 'unified' | 'split';

type Props = {
  file: CodeFile;
  layout: Layout;
  isHeavy: boolean;
  /** Line, from 1, that is gone to and gets the focus. */
  line: number | undefined;
};

/**
 * A file, or what changed in it. The editor stands in a shadow root: there its styles are style sheets of the script's
 * own, which no content security policy has to let in.
 */
export function CodeView({ file, layout, isHeavy, line }: Props) {
  const t = useTranslations('review');
  const host = useRef<HTMLDivElement>(null);
  const hasGone = useRef(false);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const end = showCode(root, {
      file,
      layout,
      isHeavy,
      label: line === undefined ? file.name : t('code_at', { file: file.name, line }),
      labelBefore: t('code_before', { file: file.name }),
      line,
      // Another layout leaves the keyboard where it was chosen.
      takesFocus: !hasGone.current,
      unchangedLines: t('unchanged_lines'),
    });
    hasGone.current = true;
    return end;
  }, [file, layout, isHeavy, line, t]);
  return <div ref={host} className={styles.code} />;
}

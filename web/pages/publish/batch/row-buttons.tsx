import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { RefreshIcon, TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import type { BatchRow } from './batch-row.ts';
import styles from './batch-table.module.css';
import type { RowActions } from './batch-table.tsx';

type RowButtonsProps = Pick<RowActions, 'onReplace' | 'onRemove'> & { row: BatchRow; isLocked: boolean };

/** Another file in a row's place, or no row at all. */
export function RowButtons({ row, isLocked, onReplace, onRemove }: RowButtonsProps) {
  const t = useTranslations('batch');
  const chooser = useRef<HTMLInputElement>(null);
  const name = row.name || row.item.fileName;
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
      <Tooltip text={t('replace', { name })}>
        <IconButton
          size="s"
          label={t('replace', { name })}
          icon={<RefreshIcon />}
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
          onClick={() => onRemove(row.id)}
        />
      </Tooltip>
    </div>
  );
}

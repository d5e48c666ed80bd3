import { useRef } from 'react';
import { useTranslations } from 'use-intl';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { RefreshIcon, TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { PencilIcon } from '../../../ui/icon/file-icons.tsx';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import type { BatchRow } from './batch-row.ts';
import styles from './batch-table.module.css';
import type { RowActions } from './batch-table.tsx';

type RowButtonsProps = Pick<RowActions, 'onReplace' | 'onRemove' | 'onOpen'> & {
  row: BatchRow;
  isLocked: boolean;
};

/** Names the first button of a row, which opens its form; of a file that is no package, the one that replaces it. */
export function firstButtonId(id: number): string {
  return `row-button-${id}`;
}

/** The form of a row, another file in its place, or no row at all. */
export function RowButtons({ row, isLocked, onReplace, onRemove, onOpen }: RowButtonsProps) {
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

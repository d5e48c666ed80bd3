import { useId, useRef } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import { IconButton } from '../../../ui/button/icon-button.tsx';
import { RefreshIcon, TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { PencilIcon } from '../../../ui/icon/file-icons.tsx';
import { Tooltip } from '../../../ui/tooltip/tooltip.tsx';
import { isDone } from './batch-row.ts';
import styles from './batch-table.module.css';
import { firstButtonId, useRow } from './row-context.ts';
import type { Aside } from './row-edits.ts';

/** The form of a row, another file in its place, or no row at all. */
export function RowButtons() {
  const t = useTranslations('batch');
  const { row, name, isLocked, onReplace, onRemove, onOpen } = useRow();
  const chooser = useRef<HTMLInputElement>(null);
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

/** Tells what was typed for a plugin whose file stood in this row before, and asks what becomes of it. */
export function RowAside({ aside }: { aside: Aside }) {
  const t = useTranslations('batch');
  const publish = useTranslations('publish');
  const format = useFormatter();
  const id = useId();
  const { row, isLocked, onAside } = useRow();
  const decide = (does: 'take' | 'drop'): void => {
    // These buttons go with their note.
    document.getElementById(firstButtonId(row.id))?.focus();
    onAside(row.id, aside, does);
  };
  const fields = format.list(
    aside.fields.map((name) =>
      name === 'cover' || name === 'panel' || name === 'media' ? publish(name) : publish(`field_${name}`),
    ),
  );
  return (
    <div className={styles.aside}>
      <p className={styles.asideText} id={id} role="status">
        {t('aside', { name: aside.name, fields })}
      </p>
      {row.item.package !== null && !isLocked && !isDone(row) && (
        <>
          <Button variant="outline" size="s" aria-describedby={id} onClick={() => decide('take')}>
            {t('aside_use')}
          </Button>
          <Button variant="quiet" size="s" aria-describedby={id} onClick={() => decide('drop')}>
            {t('aside_drop')}
          </Button>
        </>
      )}
    </div>
  );
}

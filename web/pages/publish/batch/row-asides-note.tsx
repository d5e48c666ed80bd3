import { useId } from 'react';
import { useFormatter, useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import type { BatchRow } from './batch-row.ts';
import styles from './batch-table.module.css';
import type { RowActions } from './batch-table.tsx';
import type { Aside } from './row-asides.ts';
import { firstButtonId } from './row-buttons.tsx';

type RowAsidesProps = Pick<RowActions, 'onAside'> & { row: BatchRow; isFixed: boolean };

/** Tells what was typed for the plugins whose files stood in this row before, and asks what becomes of it. */
export function RowAsides({ row, isFixed, onAside }: RowAsidesProps) {
  return row.asides.map((aside) => (
    <Note
      key={aside.plugin}
      aside={aside}
      isUsable={row.item.package !== null && !isFixed}
      onDecide={(does) => {
        // These buttons go with their note.
        document.getElementById(firstButtonId(row.id))?.focus();
        onAside(row.id, aside, does);
      }}
    />
  ));
}

type NoteProps = { aside: Aside; isUsable: boolean; onDecide: (does: 'take' | 'drop') => void };

function Note({ aside, isUsable, onDecide }: NoteProps) {
  const t = useTranslations('batch');
  const publish = useTranslations('publish');
  const format = useFormatter();
  const id = useId();
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
      {isUsable && (
        <>
          <Button variant="outline" size="s" aria-describedby={id} onClick={() => onDecide('take')}>
            {t('aside_use')}
          </Button>
          <Button variant="quiet" size="s" aria-describedby={id} onClick={() => onDecide('drop')}>
            {t('aside_drop')}
          </Button>
        </>
      )}
    </div>
  );
}

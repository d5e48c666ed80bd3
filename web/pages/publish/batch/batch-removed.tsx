import { useEffect, useId, useRef } from 'react';
import { useTranslations } from 'use-intl';
import { Button } from '../../../ui/button/button.tsx';
import styles from './batch.module.css';
import type { BatchRow } from './batch-row.ts';
import { firstButtonId } from './row-buttons.tsx';

type BatchRemovedProps = {
  /** What was removed last. */
  rows: readonly BatchRow[] | undefined;
  isLocked: boolean;
  onUndo: () => void;
};

/** Says what was removed, and brings it back. The keyboard follows: to "Undo", then to what is there again. */
export function BatchRemoved({ rows, isLocked, onUndo }: BatchRemovedProps) {
  const t = useTranslations('batch');
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const restored = useRef<number>(undefined);
  const [first] = rows ?? [];
  useEffect(() => {
    const isLost = document.activeElement === document.body;
    const back = restored.current;
    restored.current = undefined;
    if (!isLost) return;
    if (back === undefined) button.current?.focus({ preventScroll: true });
    else document.getElementById(firstButtonId(back))?.focus();
  }, [rows]);
  return (
    <div className={first && styles.removed}>
      <p role="status" id={id}>
        {first &&
          (rows?.length === 1
            ? t('removed', { name: first.name || first.item.fileName })
            : t('removed_many', { count: rows?.length ?? 0 }))}
      </p>
      {first && (
        <Button
          ref={button}
          variant="outline"
          size="s"
          disabled={isLocked}
          aria-describedby={id}
          onClick={() => {
            restored.current = first.id;
            onUndo();
          }}
        >
          {t('undo')}
        </Button>
      )}
    </div>
  );
}

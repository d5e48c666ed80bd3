import { useState } from 'react';
import type { AuditItem } from '../../../../../shared/entities/review.ts';
import { isDecidable } from '../what-it-is.ts';

/** What of a list is selected; what can no longer be decided falls out by itself. */
export function useSelection(items: readonly AuditItem[], me: number | undefined) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set());
  const selectable = items.filter((item) => isDecidable(item, me));
  const selected = selectable.filter(({ submission_id }) => ids.has(submission_id));
  const toggle = ({ submission_id }: AuditItem): void =>
    setIds((before) => {
      const next = new Set(before);
      if (!next.delete(submission_id)) next.add(submission_id);
      return next;
    });
  const all = (isOn: boolean): void =>
    setIds(new Set(isOn ? selectable.map(({ submission_id }) => submission_id) : []));
  return { selectable, selected, toggle, all };
}

export type Selection = ReturnType<typeof useSelection>;

import { useRef, useState } from 'react';

/** Attribute of the link that opens a row. */
export const ROW_LINK = 'data-row-link';

/** Which row of a list one is at: the one that has the focus, or had it last. */
export function useRows(ids: readonly number[], onEnd: () => void) {
  const list = useRef<HTMLDivElement>(null);
  const [current, setCurrent] = useState<number>();
  const place = current === undefined ? -1 : ids.indexOf(current);
  const move = (step: 1 | -1): void => {
    const next = Math.max(0, place + step);
    if (next >= ids.length) onEnd();
    const link = list.current?.querySelectorAll<HTMLElement>(`[${ROW_LINK}]`)[next];
    link?.focus({ preventScroll: true });
    link?.closest('tr')?.scrollIntoView({ block: 'nearest' });
  };
  return { list, current: ids[place], setCurrent, move };
}

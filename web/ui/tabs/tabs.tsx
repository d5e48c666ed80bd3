import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import CheckIcon from 'lucide-react/icons/check';
import { type ReactNode, useEffect, useRef } from 'react';
import { classNames } from '../class-names.ts';
import { VisuallyHidden } from '../visually-hidden/visually-hidden.tsx';
import styles from './tabs.module.css';

export type Tab<Id extends string> = {
  id: Id;
  label: ReactNode;
  /** A formatted count. */
  count?: ReactNode;
  /** A dot or tick beside the label, and its meaning as text. */
  mark?: { tone: 'done' | 'begun' | 'wrong' | 'seen'; label: string } | undefined;
  /** BCP 47 tag of a label that isn't in the page's language. */
  lang?: string;
};

type TabsProps<Id extends string> = {
  label: string;
  tabs: readonly Tab<Id>[];
  value: Id;
  onChange: (id: Id) => void;
  /** Id of the tab panel. */
  panel?: string;
};

/** A row of tabs; arrows, Home and End move along it, and the selected one is in the tab order. */
export function Tabs<Id extends string>({ label, tabs, value, onChange, panel }: TabsProps<Id>) {
  const row = useRef<HTMLDivElement>(null);
  const chosen = tabs.findIndex(({ id }) => id === value);
  const counted = tabs.filter(({ count }) => count !== undefined).length;
  // Scrolls the selected tab into view on narrow screens: a URL may select one beyond the edge, and late counts may
  // move it there.
  useEffect(() => {
    const tab = row.current?.querySelectorAll('[role=tab]')[chosen];
    if (!row.current || !tab) return;
    const { left, right } = row.current.getBoundingClientRect();
    const at = tab.getBoundingClientRect();
    if (at.right > right) row.current.scrollLeft += at.right - right;
    else if (at.left < left) row.current.scrollLeft -= left - at.left;
  }, [chosen, counted]);
  const choose = (chosenId: unknown): void => {
    const tab = tabs.find(({ id }) => id === chosenId);
    if (tab) onChange(tab.id);
  };
  return (
    <BaseTabs.Root
      value={value}
      onValueChange={choose}
      render={<BaseTabs.List ref={row} className={styles.row} aria-label={label} activateOnFocus />}
    >
      {tabs.map(({ id, label: text, count, mark, lang }) => (
        <BaseTabs.Tab key={id} value={id} className={styles.tab} aria-controls={panel}>
          <span lang={lang}>{text}</span>
          {count !== undefined && <span className={styles.count}>{count}</span>}
          {mark && (
            <>
              {mark.tone === 'seen' ? (
                <CheckIcon className={styles.seen} size={14} />
              ) : (
                <span className={classNames(styles.mark, styles[mark.tone])} aria-hidden="true" />
              )}
              <VisuallyHidden>, {mark.label}</VisuallyHidden>
            </>
          )}
        </BaseTabs.Tab>
      ))}
    </BaseTabs.Root>
  );
}

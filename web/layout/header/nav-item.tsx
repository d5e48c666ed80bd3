import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import { type ReactNode, type RefObject, useEffect, useEffectEvent, useId, useRef } from 'react';
import { classNames } from '../../ui/class-names.ts';
import styles from './main-nav.module.css';
import type { useOpenSection } from './use-open-section.ts';

type Props = {
  name: string;
  label: string;
  className: string | undefined;
  opening: ReturnType<typeof useOpenSection>;
  /** Preloads the panels' code. */
  onPreload: () => void;
  /** The panel, as the button controls it. */
  panel: (id: string) => ReactNode;
};

/** A header item with a panel below it: a disclosure, opened by pointer, touch or keyboard. */
export function NavItem({ name, label, className, opening, onPreload, panel }: Props) {
  const id = useId();
  const item = useRef<HTMLLIElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const { open, press, enter, leave, close } = opening;
  const isOpen = open?.name === name;
  useDismiss(item, isOpen, () => {
    if (item.current?.contains(document.activeElement)) button.current?.focus();
    close();
  });
  return (
    <li
      ref={item}
      data-section={name}
      className={classNames(styles.item, className)}
      onPointerEnter={(event) => enter(name, event)}
      onPointerLeave={leave}
    >
      <button
        ref={button}
        type="button"
        className={styles.word}
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => {
          onPreload();
          press(name, 'press');
        }}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown') return;
          event.preventDefault();
          onPreload();
          press(name, 'key');
        }}
      >
        {label}
        <ChevronDownIcon size={12} className={styles.arrow} />
      </button>
      {isOpen && panel(id)}
    </li>
  );
}

/**
 * While `active`, closes a layer on Escape, on a press outside and when focus leaves it. It handles Escape first: a
 * layer that opens above it takes focus and closes this one beforehand.
 */
function useDismiss(inside: RefObject<HTMLElement | null>, active: boolean, dismiss: () => void): void {
  const onEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.isComposing) return;
    event.stopPropagation();
    dismiss();
  });
  const onElsewhere = useEffectEvent(({ target }: Event) => {
    if (target instanceof Node && !inside.current?.contains(target)) dismiss();
  });
  useEffect(() => {
    if (!active) return;
    const listening = new AbortController();
    const shared = { capture: true, signal: listening.signal };
    document.addEventListener('keydown', (event) => onEscape(event), shared);
    document.addEventListener('pointerdown', (event) => onElsewhere(event), shared);
    document.addEventListener('focusin', (event) => onElsewhere(event), shared);
    return () => listening.abort();
  }, [active]);
}

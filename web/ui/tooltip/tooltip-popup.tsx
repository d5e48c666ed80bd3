import { Tooltip } from '@base-ui/react/tooltip';
import type { RefObject } from 'react';
import styles from './tooltip.module.css';

type TooltipPopupProps = { anchor: RefObject<HTMLElement | null>; text: string; open: boolean };

/** The layer of a tooltip; fetched when it is first wanted. */
export function TooltipPopup({ anchor, text, open }: TooltipPopupProps) {
  return (
    <Tooltip.Root open={open}>
      <Tooltip.Portal>
        <Tooltip.Positioner className={styles.positioner} anchor={anchor} sideOffset={8}>
          <Tooltip.Popup className={styles.popup} aria-hidden="true">
            {text}
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

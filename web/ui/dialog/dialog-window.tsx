import { Dialog } from '@base-ui/react/dialog';
import XIcon from 'lucide-react/icons/x';
import { type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import { DIALOG_CLICK_THROTTLE } from '../../../shared/constants.ts';
import { buttonClass } from '../button/button-class.ts';
import { classNames } from '../class-names.ts';
import styles from './dialog.module.css';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  /** `picture` is as large as the screen allows and shows its title to assistive technology alone; `wide` holds long forms. */
  kind?: 'form' | 'wide' | 'picture';
  /** What gets the keyboard when it opens; the first control for null. */
  initialFocus?: () => HTMLElement | null;
  /** What gets it when it closes; what had it before for null. */
  finalFocus?: () => HTMLElement | null;
  /** What can be done, at the end of a line that stays in view while the rest scrolls. */
  foot?: ReactNode;
  children: ReactNode;
};

/** What a click does something on. A label is none: its field gets a click of its own in the same moment. */
const BUTTONS = 'button, a[href]';

/** The window of a dialog: a click on the mask, Escape and the cross close it. */
export function DialogWindow({
  open,
  onClose,
  title,
  closeLabel,
  kind = 'form',
  initialFocus,
  finalFocus,
  foot,
  children,
}: DialogProps) {
  const counts = useClickThrottle();
  const change = (next: boolean, { reason, event, cancel }: Dialog.Root.ChangeEventDetails): void => {
    if (reason === 'outside-press' && !counts(event)) cancel();
    else if (!next) onClose();
  };
  const drop = (event: MouseEvent): void => {
    if (!(event.target instanceof Element && event.target.closest(BUTTONS)) || counts(event)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <Dialog.Root open={open} onOpenChange={change}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.mask} />
        <Dialog.Popup
          className={classNames(styles.window, styles[kind])}
          initialFocus={initialFocus}
          finalFocus={finalFocus}
          onClickCapture={drop}
        >
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          <Dialog.Close
            className={buttonClass({ variant: 'quiet', square: true }, styles.close)}
            aria-label={closeLabel}
          >
            <XIcon size={18} />
          </Dialog.Close>
          {children}
          {foot && <div className={styles.foot}>{foot}</div>}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

type Moment = Pick<Event, 'timeStamp'>;

/** Says whether a click counts: one that follows within 20 ms of the last that did is a slip of the same finger. */
function useClickThrottle(): (click: Moment) => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(({ timeStamp }: Moment) => {
    if (timeStamp - last.current < DIALOG_CLICK_THROTTLE) return false;
    last.current = timeStamp;
    return true;
  }, []);
}

import { Dialog } from '@base-ui/react/dialog';
import XIcon from 'lucide-react/icons/x';
import { type FormEvent, type MouseEvent, type ReactNode, useCallback, useRef } from 'react';
import { DIALOG_CLICK_THROTTLE } from '../../../shared/constants.ts';
import { buttonClass } from '../button/button-class.ts';
import { classNames } from '../class-names.ts';
import { useModalLayer } from '../modal-layer.ts';
import styles from './dialog.module.css';

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  /** Whether closing would lose input; by default, whether anything was typed or chosen. */
  isDirty?: boolean | undefined;
  title: string;
  closeLabel: string;
  /** `picture` is as large as the screen and hides its title visually; `wide` holds long forms. */
  kind?: 'form' | 'wide' | 'picture';
  /** Initial focus; null: the first control. */
  initialFocus?: () => HTMLElement | null;
  /** Focus after closing; null: the previously focused element. */
  finalFocus?: () => HTMLElement | null;
  /** Actions, in a line that stays in view while the content scrolls. */
  foot?: ReactNode;
  children: ReactNode;
};

/** Clickable elements. Labels are excluded: their field gets its own click at the same time. */
const BUTTONS = 'button, a[href]';

type WindowProps = Omit<DialogProps, 'isDirty'> & { onInput?: (event: FormEvent<HTMLElement>) => void };

/** The window of a dialog: a click on the backdrop, Escape and the cross close it. */
export function DialogWindow({
  open,
  onClose,
  title,
  closeLabel,
  kind = 'form',
  initialFocus,
  finalFocus,
  foot,
  onInput,
  children,
}: WindowProps) {
  const counts = useClickThrottle();
  useModalLayer(open);
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
          onInput={onInput}
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

type Click = Pick<Event, 'timeStamp'>;

/** Filters clicks: one within 20 ms of the last accepted one is an accidental double tap. */
function useClickThrottle(): (click: Click) => boolean {
  const last = useRef(Number.NEGATIVE_INFINITY);
  return useCallback(({ timeStamp }: Click) => {
    if (timeStamp - last.current < DIALOG_CLICK_THROTTLE) return false;
    last.current = timeStamp;
    return true;
  }, []);
}

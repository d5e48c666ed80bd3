import { Dialog } from '@base-ui/react/dialog';
import { buttonClass } from '../button/button-class.ts';
import { classNames } from '../class-names.ts';
import { CloseIcon } from '../icon/action-icons.tsx';
import styles from './dialog.module.css';
import type { DialogProps } from './dialog-props.ts';

/** The window of a dialog: a click on the mask, Escape and the cross close it. */
export function DialogWindow({ open, onClose, title, closeLabel, kind = 'form', children }: DialogProps) {
  return (
    <Dialog.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Dialog.Portal>
        <Dialog.Backdrop className={styles.mask} />
        <Dialog.Popup className={classNames(styles.window, styles[kind])}>
          <Dialog.Title className={styles.title}>{title}</Dialog.Title>
          <Dialog.Close
            className={buttonClass({ variant: 'quiet', square: true }, styles.close)}
            aria-label={closeLabel}
          >
            <CloseIcon size={18} />
          </Dialog.Close>
          {children}
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

import { useContext, useEffect, useState } from 'react';
import { useUnsavedInput } from '../../loading/unsaved-input.ts';
import { Button } from '../button/button.tsx';
import { type DialogProps, DialogWindow } from './dialog-window.tsx';
import { UnsavedTextsContext } from './unsaved-context.ts';

/** What people look for, or type again every time, is no loss. */
const NOT_KEPT: ReadonlySet<string> = new Set(['search', 'password']);

/** A dialog's window that asks before a slip (a click beside it, Escape, the cross) or a reload discards input. */
export function GuardedWindow({ isDirty, onClose, children, ...props }: DialogProps) {
  const texts = useContext(UnsavedTextsContext);
  const [hasInput, setHasInput] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const { open } = props;
  const isUnsaved = open && texts !== undefined && (isDirty ?? hasInput);
  useEffect(() => {
    if (open) setHasInput(false);
    else setIsAsking(false);
  }, [open]);
  useUnsavedInput(isUnsaved);
  const keep = (): void => setIsAsking(false);
  return (
    <DialogWindow
      {...props}
      onClose={() => (isUnsaved ? setIsAsking(true) : onClose())}
      onInput={({ target }) => {
        if (!(target instanceof HTMLInputElement && NOT_KEPT.has(target.type))) setHasInput(true);
      }}
    >
      {children}
      {texts && (
        <DialogWindow
          open={isAsking}
          onClose={keep}
          title={texts.title}
          closeLabel={texts.keep}
          foot={
            <>
              <Button variant="outline" onClick={onClose}>
                {texts.discard}
              </Button>
              <Button variant="primary" onClick={keep}>
                {texts.keep}
              </Button>
            </>
          }
        >
          <p>{texts.text}</p>
        </DialogWindow>
      )}
    </DialogWindow>
  );
}

import { type ReactNode, useState } from 'react';
import { useLazyComponent } from './use-lazy-component.ts';

const loadDialog = () =>
  import('../features/consent/consent-dialog.tsx').then((module) => module.ConsentDialog);

type Props = { className: string | undefined; children: ReactNode };

/** Opens the visitor's decision again, to change it; the dialog is fetched when the button is reached for. */
export function CookieSettingsButton({ className, children }: Props) {
  const { part, want } = useLazyComponent(loadDialog);
  const [open, setOpen] = useState(false);
  const show = (): void => {
    want();
    setOpen(true);
  };
  return (
    <>
      <button
        type="button"
        className={className}
        aria-haspopup="dialog"
        onPointerEnter={want}
        onFocus={want}
        onClick={show}
      >
        {children}
      </button>
      {part && <part.Part open={open} onClose={() => setOpen(false)} />}
    </>
  );
}

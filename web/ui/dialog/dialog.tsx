import { lazy, type ReactNode, Suspense, useState } from 'react';

const DialogWindow = lazy(() =>
  import('./dialog-window.tsx').then((module) => ({ default: module.DialogWindow })),
);

export type DialogProps = {
  open: boolean;
  onClose: () => void;
  title: string;
  closeLabel: string;
  /** `picture` is as wide as the screen allows and shows its title to assistive technology alone. */
  kind?: 'form' | 'picture';
  children: ReactNode;
};

/** A modal dialog; its code is fetched when it first opens. */
export function Dialog(props: DialogProps) {
  const [wanted, setWanted] = useState(props.open);
  if (props.open && !wanted) setWanted(true);
  return (
    wanted && (
      <Suspense fallback={null}>
        <DialogWindow {...props} />
      </Suspense>
    )
  );
}

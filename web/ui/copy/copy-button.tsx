import { useEffect, useState } from 'react';
import { Button } from '../button/button.tsx';
import type { ButtonLook } from '../button/button-class.ts';
import { CheckIcon } from '../icon/action-icons.tsx';
import { AlertIcon } from '../icon/state-icons.tsx';
import { CopyIcon } from '../icon/work-icons.tsx';
import { copyText } from './copy-text.ts';

type CopyState = 'idle' | 'copied' | 'failed';

export type CopyLabels = Record<CopyState, string>;

type CopyButtonProps = ButtonLook & {
  /** What is put on the clipboard, asked for when the button is pressed. */
  text: () => string;
  labels: CopyLabels;
  className?: string | undefined;
};

/** Milliseconds for which the button says what came of it. */
const TOLD_FOR = 2000;

const ICONS: Readonly<Record<CopyState, typeof CopyIcon>> = {
  idle: CopyIcon,
  copied: CheckIcon,
  failed: AlertIcon,
};

/** Copies a text and says on itself, heard too, whether that worked. */
export function CopyButton({ text, labels, variant = 'outline', size = 's', ...rest }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), TOLD_FOR);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => {
    const done = await copyText(text()).then(
      () => true,
      () => false,
    );
    setState(done ? 'copied' : 'failed');
  };
  const Icon = ICONS[state];
  return (
    <Button {...rest} variant={variant} size={size} onClick={() => void copy()}>
      <Icon size={14} />
      <span aria-live="polite">{labels[state]}</span>
    </Button>
  );
}

import CheckIcon from 'lucide-react/icons/check';
import CircleAlertIcon from 'lucide-react/icons/circle-alert';
import CopyIcon from 'lucide-react/icons/copy';
import { useEffect, useState } from 'react';
import { Button } from './button/button.tsx';
import type { ButtonLook } from './button/button-class.ts';

type CopyState = 'idle' | 'copied' | 'failed';

export type CopyLabels = Record<CopyState, string>;

type CopyButtonProps = ButtonLook & {
  /** The text for the clipboard, requested on click. */
  text: () => string;
  labels: CopyLabels;
  className?: string | undefined;
};

/** Milliseconds for which the button shows the result. */
const RESULT_MS = 2000;

const ICONS: Readonly<Record<CopyState, typeof CopyIcon>> = {
  idle: CopyIcon,
  copied: CheckIcon,
  failed: CircleAlertIcon,
};

/** Copies a text and shows and announces the result. */
export function CopyButton({ text, labels, variant = 'outline', size = 's', ...rest }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), RESULT_MS);
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

/** Copies text to the clipboard. @throws when the browser denies it. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    copyBySelection(text);
  }
}

/** Fallback without the clipboard API: pages on plain http in an intranet, and old web views. */
function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.readOnly = true;
  area.style.position = 'fixed';
  area.style.opacity = '0';
  const before = document.activeElement;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (before instanceof HTMLElement) before.focus();
  if (!done) throw new Error('The clipboard cannot be written.');
}

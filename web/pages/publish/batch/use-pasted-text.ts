import { useEffect, useEffectEvent } from 'react';

const PASTED_NAME = 'pasted.json';

/** Takes the text of a package pasted anywhere on the page but into a field, as a file of that text. */
export function usePastedText(onFiles: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent): void => {
    const { target, clipboardData } = event;
    const isField = target instanceof HTMLElement && target.matches('input:not([type=file]), textarea');
    const text = clipboardData?.getData('text/plain').trim() ?? '';
    if (event.defaultPrevented || isField || !/^[[{]/.test(text)) return;
    event.preventDefault();
    onFiles([new File([text], PASTED_NAME, { type: 'application/json' })]);
  });
  useEffect(() => {
    const listen = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('paste', listen);
    return () => document.removeEventListener('paste', listen);
  }, []);
}

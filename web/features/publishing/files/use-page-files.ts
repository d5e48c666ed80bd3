import { useEffect, useEffectEvent } from 'react';

const PASTED_NAME = 'pasted.json';

/**
 * Files that come to the page but to no field of it: pasted ones are handed over, dropped ones are held back, or the
 * browser would leave the page to show them.
 * @param takesText the text of a package, pasted anywhere but into a field, is taken as a file
 */
export function usePageFiles(onPasted: (files: File[]) => void, takesText = false): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = takesText && files.length === 0 ? packageText(event) : '';
    const pasted = text === '' ? files : [new File([text], PASTED_NAME, { type: 'application/json' })];
    if (event.defaultPrevented || pasted.length === 0) return;
    event.preventDefault();
    onPasted(pasted);
  });
  useEffect(() => {
    const hold = (event: DragEvent): void => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    };
    const takePasted = (event: ClipboardEvent): void => paste(event);
    document.addEventListener('paste', takePasted);
    document.addEventListener('dragover', hold);
    document.addEventListener('drop', hold);
    return () => {
      document.removeEventListener('paste', takePasted);
      document.removeEventListener('dragover', hold);
      document.removeEventListener('drop', hold);
    };
  }, []);
}

/** True for a file that calls itself a package; its content is checked later. */
export function looksLikeCode({ name, type }: File): boolean {
  return type === 'application/json' || /\.json$/i.test(name);
}

function packageText({ target, clipboardData }: ClipboardEvent): string {
  if (target instanceof HTMLElement && target.matches('input:not([type=file]), textarea')) return '';
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  return /^[[{]/.test(text) ? text : '';
}

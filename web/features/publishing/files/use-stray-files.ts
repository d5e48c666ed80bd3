import { useEffect, useEffectEvent } from 'react';

/**
 * Files that come to the page but to no field of it: pasted ones are handed over, dropped ones are held back, or the
 * browser would leave the page to show them.
 */
export function useStrayFiles(onPasted: (files: File[]) => void): void {
  const paste = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    if (event.defaultPrevented || files.length === 0) return;
    event.preventDefault();
    onPasted(files);
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

/** True for a file that calls itself a package; what it is, its content tells later. */
export function looksLikeCode({ name, type }: File): boolean {
  return type === 'application/json' || /\.json$/i.test(name);
}

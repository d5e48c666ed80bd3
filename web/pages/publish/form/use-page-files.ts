import { useCallback, useEffect, useEffectEvent, useRef } from 'react';

/** Creates object URLs; all of them are revoked on unmount. */
export function useObjectUrls(): (file: File) => string {
  const urls = useRef(new Set<string>());
  useEffect(() => {
    const made = urls.current;
    return () => {
      for (const url of made) URL.revokeObjectURL(url);
      made.clear();
    };
  }, []);
  return useCallback((file) => {
    const url = URL.createObjectURL(file);
    urls.current.add(url);
    return url;
  }, []);
}

const PASTED_NAME = 'pasted.json';

/**
 * Page drop and paste: files pasted outside a field are handled, and files dropped outside one are ignored, or the
 * browser would navigate to them.
 * @param takesText the text of a package, pasted outside any field, is handled as a file
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

/** True for a file that looks like a package by name or type; its content is checked later. */
export function looksLikePackage({ name, type }: File): boolean {
  return type === 'application/json' || /\.json$/i.test(name);
}

function packageText({ target, clipboardData }: ClipboardEvent): string {
  if (target instanceof HTMLElement && target.matches('input:not([type=file]), textarea')) return '';
  const text = clipboardData?.getData('text/plain').trim() ?? '';
  return /^[[{]/.test(text) ? text : '';
}

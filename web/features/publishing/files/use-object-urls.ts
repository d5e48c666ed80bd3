import { useCallback, useEffect, useRef } from 'react';

/** Makes addresses by which the browser can show files; all of them end with the component. */
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

import { useLayoutEffect, useRef } from 'react';
import { harmless } from './harmless.ts';

/** Shows what is harmless of an HTML text. For layers that the browser alone makes. */
export function SafeHtml({ html }: { html: string }) {
  const place = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => place.current?.replaceChildren(harmless(html)), [html]);
  return <span ref={place} />;
}

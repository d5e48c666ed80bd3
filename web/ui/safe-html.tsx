import purifier from 'dompurify';
import { useLayoutEffect, useRef } from 'react';

/** Renders sanitized HTML. In the browser only. */
export function SafeHtml({ html }: { html: string }) {
  const container = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => container.current?.replaceChildren(harmless(html)), [html]);
  return <span ref={container} />;
}

const TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'small', 'mark', 'code', 'kbd', 'sub', 'sup', 'br', 'a'];
const WEB = /^https?:\/\//i;

/** Sanitizes HTML: inline formatting and web links stay; scripts, styles, pictures and event handlers are removed. */
function harmless(html: string): DocumentFragment {
  const fragment = purifier.sanitize(html, {
    ALLOWED_TAGS: TAGS,
    ALLOWED_ATTR: ['href', 'lang', 'dir'],
    ALLOWED_URI_REGEXP: WEB,
    ALLOW_DATA_ATTR: false,
    ALLOW_ARIA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
  for (const link of fragment.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  return fragment;
}

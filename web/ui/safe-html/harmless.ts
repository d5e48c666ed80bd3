import purifier from 'dompurify';

const TAGS = ['b', 'strong', 'i', 'em', 'u', 's', 'small', 'mark', 'code', 'kbd', 'sub', 'sup', 'br', 'a'];
const WEB = /^https?:\/\//i;

/** Keeps inline formatting and links to the web of an HTML text; scripts, styles, pictures and handlers go. */
export function harmless(html: string): DocumentFragment {
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

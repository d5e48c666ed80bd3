/** Colours of the site's light look (web/ui/tokens.css). */
export const INK = '#121715';
export const QUIET = '#4b5551';
const ACCENT = '#08734f';
const GROUND = '#f5f7f6';
const TINT = '#e5f4ed';

/** The mark of the site on a square of 32 units (web/public/icon.svg). */
const MARK =
  `<rect width="32" height="32" rx="9" fill="${ACCENT}"/>` +
  '<path fill="#fff" d="M8 9.5A1.5 1.5 0 0 1 9.5 8h4A1.5 1.5 0 0 1 15 9.5v4a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8 13.5v-4ZM8 18.5A1.5 1.5 0 0 1 9.5 17h4a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-4A1.5 1.5 0 0 1 8 22.5v-4ZM17 18.5a1.5 1.5 0 0 1 1.5-1.5h4a1.5 1.5 0 0 1 1.5 1.5v4a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-4Z"/>' +
  '<circle cx="20.5" cy="11.5" r="3.9" fill="none" stroke="#fff" stroke-width="2.2"/>';

export function brandMark({ x, y, size }: { x: number; y: number; size: number }): string {
  return `<g transform="translate(${x} ${y}) scale(${size / 32})">${MARK}</g>`;
}

/** What lies below everything: the ground, and a tint of the brand's colour towards the right. */
export function surface({ width, height }: { width: number; height: number }): string {
  return (
    `<defs><linearGradient id="tint" x1="0" y1="0" x2="1" y2="0.5"><stop offset="0.35" stop-color="${GROUND}"/>` +
    `<stop offset="1" stop-color="${TINT}"/></linearGradient></defs>` +
    `<rect width="${width}" height="${height}" fill="url(#tint)"/>` +
    `<rect y="${height - 10}" width="${width}" height="10" fill="${ACCENT}"/>`
  );
}

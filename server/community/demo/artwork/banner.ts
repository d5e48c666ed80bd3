import { COVERS, type CoverSpec, definitions } from './cover.ts';
import { mix, schemeOf } from './palette.ts';
import { box, randomFrom } from './shape.ts';

/**
 * The 1600 × 400 SVG of a home page banner: the drawing leans in from the right and fades out before the
 * left third, which stays calm for the title that the page lays over it. On dark and vivid grounds that third is
 * deep enough for white text (contrast 4.5 and more), on light and paper grounds for dark text.
 */
export function drawBanner(spec: CoverSpec): string {
  const scheme = schemeOf(spec.palette, spec.ground);
  const drawing = COVERS[spec.motif](scheme, randomFrom(spec.seed), spec.density);
  const veil = scheme.over === '#ffffff' ? mix(scheme.deep, scheme.ink, 0.18) : scheme.backFrom;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="400" viewBox="0 0 1600 400">${definitions(scheme)}<defs><linearGradient id="calm" x1="0" y1="0" x2="1" y2="0"><stop offset="0.3" stop-color="#000000"/><stop offset="0.44" stop-color="#ffffff"/></linearGradient><linearGradient id="veil" x1="0" y1="0" x2="1" y2="0"><stop offset="0" stop-color="${veil}" stop-opacity="0.92"/><stop offset="0.34" stop-color="${veil}" stop-opacity="0.78"/><stop offset="0.75" stop-color="${veil}" stop-opacity="0"/></linearGradient><mask id="lean" maskUnits="userSpaceOnUse" x="0" y="0" width="1600" height="400">${box(0, 0, 1600, 400, 0, 'url(#calm)')}</mask></defs>${box(0, 0, 1600, 400, 0, 'url(#back)')}${box(0, 0, 1600, 400, 0, 'url(#glow)')}${box(0, 0, 1600, 400, 0, 'url(#veil)')}<g mask="url(#lean)"><g transform="translate(640 -74) rotate(-7 480 270) scale(0.52)">${drawing}</g></g></svg>`;
}

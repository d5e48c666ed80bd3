import { COLOUR_COVERS } from './cover-colour.ts';
import { CONTENT_COVERS } from './cover-content.ts';
import { DATA_COVERS } from './cover-data.ts';
import { DEPTH_COVERS } from './cover-depth.ts';
import { HANDOFF_COVERS } from './cover-handoff.ts';
import { INTERFACE_COVERS } from './cover-interface.ts';
import { MOTION_COVERS } from './cover-motion.ts';
import { TYPE_COVERS } from './cover-type.ts';
import { type Ground, type PaletteName, type Scheme, schemeOf } from './palette.ts';
import { box, randomFrom, repeat } from './shape.ts';

export const COVERS = {
  ...COLOUR_COVERS,
  ...TYPE_COVERS,
  ...DATA_COVERS,
  ...MOTION_COVERS,
  ...DEPTH_COVERS,
  ...CONTENT_COVERS,
  ...INTERFACE_COVERS,
  ...HANDOFF_COVERS,
};

export type CoverName = keyof typeof COVERS;

export interface CoverSpec {
  motif: CoverName;
  palette: PaletteName;
  ground: Ground;
  seed: number;
  /** 1 sparse to 3 dense. */
  density: number;
}

/** What the motifs refer to: gradients, shadows, blurs and clips, by id. */
export function definitions(scheme: Scheme): string {
  const lit = scheme.ground === 'dark' ? 0.4 : 0.2;
  return `<defs><linearGradient id="back" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="${scheme.backFrom}"/><stop offset="1" stop-color="${scheme.backTo}"/></linearGradient><radialGradient id="glow" cx="0.18" cy="0.05" r="0.9"><stop offset="0" stop-color="${scheme.ground === 'dark' ? scheme.main : '#ffffff'}" stop-opacity="${scheme.ground === 'dark' ? 0.3 : 0.28}"/><stop offset="1" stop-color="#ffffff" stop-opacity="0"/></radialGradient><linearGradient id="fade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${scheme.ground === 'vivid' ? '#ffffff' : scheme.tone}" stop-opacity="0.55"/><stop offset="1" stop-color="${scheme.tone}" stop-opacity="0"/></linearGradient><filter id="lift" x="-20%" y="-20%" width="140%" height="150%"><feDropShadow dx="0" dy="18" stdDeviation="22" flood-color="${scheme.shade}" flood-opacity="${lit}"/></filter><filter id="melt" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="80"/></filter><clipPath id="frame">${box(130, 100, 1660, 880, 56, '#000')}</clipPath><clipPath id="photo">${box(170, 130, 980, 820, 44, '#000')}</clipPath><clipPath id="page">${box(270, 80, 1380, 1100, 48, '#000')}</clipPath><clipPath id="pane">${box(500, 250, 920, 580, 64, '#000')}</clipPath><clipPath id="slant"><path d="M1060 80L860 1000H1560V80Z"/></clipPath></defs>`;
}

/** A field of small dots, as the canvas of a design tool has it. */
export function canvasDots(scheme: Scheme, width: number, height: number): string {
  const step = 60;
  return `<g fill="${scheme.overSoft}" opacity="0.4">${repeat(Math.floor(height / step), (row) =>
    repeat(
      Math.floor(width / step),
      (column) => `<circle cx="${column * step + 30}" cy="${row * step + 30}" r="3"/>`,
    ),
  )}</g>`;
}

/** The 1920 × 1080 SVG of a plugin's cover: a composition that shows what the plugin does. */
export function drawCover(spec: CoverSpec): string {
  const scheme = schemeOf(spec.palette, spec.ground);
  const dots = spec.seed % 3 === 0 ? canvasDots(scheme, 1920, 1080) : '';
  const drawing = COVERS[spec.motif](scheme, randomFrom(spec.seed), spec.density);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="1920" height="1080" viewBox="0 0 1920 1080">${definitions(scheme)}${box(0, 0, 1920, 1080, 0, 'url(#back)')}${box(0, 0, 1920, 1080, 0, 'url(#glow)')}${dots}${drawing}</svg>`;
}

import type { Glyph, GlyphInk } from './glyph-kind.ts';
import { COLOUR_AND_TYPE_GLYPHS } from './glyphs-colour-and-type.ts';
import { DATA_AND_MOTION_GLYPHS } from './glyphs-data-and-motion.ts';
import { OBJECT_GLYPHS } from './glyphs-objects.ts';
import { type Ground, mix, type PaletteName, type Scheme, schemeOf } from './palette.ts';
import { box, group } from './shape.ts';

export const GLYPHS = { ...COLOUR_AND_TYPE_GLYPHS, ...DATA_AND_MOTION_GLYPHS, ...OBJECT_GLYPHS };

export type GlyphName = keyof typeof GLYPHS;

export interface IconSpec {
  motif: GlyphName;
  palette: PaletteName;
  ground: Ground;
}

interface IconColours extends GlyphInk {
  top: string;
  bottom: string;
  edge: string;
}

const ICON_COLOURS: Record<Ground, (scheme: Scheme) => IconColours> = {
  light: (scheme) => ({
    top: '#ffffff',
    bottom: mix(scheme.mist, scheme.bright, 0.35),
    edge: mix(scheme.bright, scheme.main, 0.2),
    solid: scheme.main,
    tint: scheme.accent,
    cut: mix(scheme.mist, scheme.bright, 0.12),
  }),
  dark: (scheme) => ({
    top: mix(scheme.ink, scheme.deep, 0.45),
    bottom: mix(scheme.ink, '#000000', 0.3),
    edge: mix(scheme.ink, scheme.bright, 0.35),
    solid: mix(scheme.main, scheme.bright, 0.4),
    tint: scheme.accent,
    cut: mix(scheme.ink, scheme.deep, 0.18),
  }),
  vivid: (scheme) => ({
    top: mix(scheme.main, scheme.bright, 0.22),
    bottom: mix(scheme.main, scheme.deep, 0.55),
    edge: mix(scheme.main, scheme.bright, 0.5),
    solid: '#ffffff',
    tint: mix(scheme.bright, '#ffffff', 0.12),
    cut: mix(scheme.main, scheme.deep, 0.22),
  }),
  paper: (scheme) => ({
    top: '#fdfbf7',
    bottom: '#ece6da',
    edge: '#d9d2c3',
    solid: scheme.ink,
    tint: scheme.main,
    cut: '#f5f1e8',
  }),
};

/** A glyph alone, scaled from its 512 field to `size` at the given place. */
export function drawGlyph(glyph: Glyph, x: number, y: number, size: number, ink: GlyphInk): string {
  return group(`translate(${x} ${y}) scale(${Math.round((size / 512) * 1e4) / 1e4})`, glyph(ink));
}

/** The 512 × 512 SVG of a plugin's icon: a rounded square with transparent corners. */
export function drawIcon(spec: IconSpec): string {
  const colours = ICON_COLOURS[spec.ground](schemeOf(spec.palette, spec.ground));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="512" height="512" viewBox="0 0 512 512"><defs><linearGradient id="face" x1="0.2" y1="0" x2="0.8" y2="1"><stop offset="0" stop-color="${colours.top}"/><stop offset="1" stop-color="${colours.bottom}"/></linearGradient><linearGradient id="edge" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${colours.edge}"/><stop offset="1" stop-color="${colours.edge}" stop-opacity="0.25"/></linearGradient></defs>${box(0, 0, 512, 512, 120, 'url(#face)')}${box(4, 4, 504, 504, 116, 'none', 'stroke="url(#edge)" stroke-width="8"')}${GLYPHS[spec.motif](colours)}</svg>`;
}

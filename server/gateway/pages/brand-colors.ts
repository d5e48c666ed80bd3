import { clampChroma, converter, formatHex, type Oklch, wcagContrast } from 'culori';

const toOklch = converter('oklch');

/** Contrast that WCAG 2.2 asks for text (1.4.3). */
const TEXT_CONTRAST = 4.5;
const STEP = 0.005;

/** Surfaces of web/ui/tokens.css on which the brand stands as text. */
const SURFACES = {
  light: ['#fbfaf7', '#f4f2ed', '#ffffff', '#efece6'],
  dark: ['#131211', '#0d0c0b', '#1e1c1a', '#282522', '#2a2724'],
} as const;

export type BrandColors = { brand: string; hover: string; soft: string; on: string };

const hex = (color: Oklch): string => formatHex(clampChroma(color, 'oklch'));

/**
 * A deployment's colour as the tokens of a scheme: as near to it as contrast allows. Brand reads on every surface and on its
 * soft ground, and text reads on brand and on its hover, by 4.5 : 1.
 * @param color #rrggbb
 */
export function brandColors(color: string, scheme: 'light' | 'dark'): BrandColors {
  const { l, c, h = 0 } = toOklch(color) ?? { l: 0.5, c: 0 };
  const at = (lightness: number, chroma = c): string => hex({ mode: 'oklch', l: lightness, c: chroma, h });
  const isLight = scheme === 'light';
  const soft = isLight ? at(0.955, Math.min(c, 0.035)) : at(0.27, Math.min(c, 0.045));
  const on = isLight ? '#ffffff' : at(0.19, Math.min(c, 0.03));
  const step = isLight ? -STEP : STEP;
  const grounds = [...SURFACES[scheme], soft, on];
  let lightness = l;
  while (grounds.some((ground) => wcagContrast(at(lightness), ground) < TEXT_CONTRAST)) lightness += step;
  return { brand: at(lightness), hover: at(lightness + 14 * step), soft, on };
}

/** The style sheet of a brand; colours and typeface as far as they are set. */
export function brandStyle({
  color,
  fontUrl,
}: {
  color?: string | undefined;
  fontUrl?: string | undefined;
}): string {
  const rules: string[] = [];
  if (fontUrl !== undefined) {
    rules.push(
      `@font-face{font-family:"Brand";font-weight:100 900;font-display:swap;src:url("${fontUrl}") format("woff2")}`,
      ':root{--typeface:"Brand"}',
    );
  }
  if (color !== undefined) {
    const [light, dark] = [brandColors(color, 'light'), brandColors(color, 'dark')];
    const pair = (name: keyof BrandColors): string => `light-dark(${light[name]},${dark[name]})`;
    rules.push(
      `:root{--brand:${pair('brand')};--brand-hover:${pair('hover')};--brand-soft:${pair('soft')};--on-brand:${pair('on')}}`,
    );
  }
  return rules.join('\n');
}

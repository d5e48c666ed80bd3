/** Colours of one family, dark to light, with two companions that set accents. */
interface Palette {
  ink: string;
  deep: string;
  main: string;
  bright: string;
  mist: string;
  accent: string;
  pop: string;
}

const row = (
  ink: string,
  deep: string,
  main: string,
  bright: string,
  mist: string,
  accent: string,
  pop: string,
): Palette => ({ ink, deep, main, bright, mist, accent, pop });

export const PALETTES = {
  indigo: row('#15133b', '#3730a3', '#5b5bf0', '#a9acff', '#eeeeff', '#ffb45c', '#2dd4bf'),
  violet: row('#20103d', '#5521b5', '#8655f5', '#c8b3ff', '#f4efff', '#ff7ab8', '#5ad1e6'),
  rose: row('#380f25', '#9d174d', '#f0487f', '#ffa9c6', '#fff0f4', '#ffc24b', '#6d6af7'),
  coral: row('#36150f', '#b23a26', '#ff6b4a', '#ffb8a3', '#fff1ec', '#2f6fd6', '#ffd05c'),
  amber: row('#30200a', '#a35a09', '#f59e0b', '#ffd482', '#fff6e3', '#3b6fe0', '#ef5a5a'),
  lime: row('#17250c', '#3c7415', '#7abf2a', '#c6ec8d', '#f3fbe7', '#ff7b54', '#2a9d8f'),
  emerald: row('#06261e', '#07674e', '#10b981', '#8ae8c7', '#e9fbf4', '#ffc857', '#5b7cfa'),
  teal: row('#05262c', '#0b6570', '#12b0be', '#8fe5ea', '#e7f9fb', '#ff8a65', '#ffd166'),
  sky: row('#0a2038', '#0b5ca8', '#2e9bf5', '#9fd4ff', '#ebf6ff', '#ffb703', '#ff6f91'),
  cobalt: row('#0b1440', '#1c3cb8', '#2f6bff', '#9fbeff', '#ecf2ff', '#ff5d73', '#3ddbd9'),
  plum: row('#290e32', '#761d88', '#bb46d2', '#e9aef4', '#fbf0fe', '#42cfc2', '#ffc145'),
  slate: row('#111827', '#334155', '#5f718a', '#b8c4d4', '#f1f4f8', '#f97352', '#38bdf8'),
  sand: row('#2a2018', '#775737', '#bd8850', '#e8c8a0', '#faf4ea', '#2f7d6b', '#d9573f'),
  cherry: row('#32090d', '#94131e', '#e2333f', '#ffa19f', '#ffeeed', '#1fa6a0', '#ffc65a'),
  pine: row('#0c231c', '#1f5b45', '#3d8b6d', '#a6d4bf', '#eff7f2', '#f2a541', '#e4572e'),
  graphite: row('#131316', '#2b2b31', '#44444d', '#a5a5b0', '#f5f5f6', '#ff5a36', '#4c7dff'),
} satisfies Record<string, Palette>;

export type PaletteName = keyof typeof PALETTES;

/** How the background is lit: tinted, dark, saturated, or the off-white of paper. */
export const GROUNDS = ['light', 'dark', 'vivid', 'paper'] as const;
export type Ground = (typeof GROUNDS)[number];

/** What each colour is for, so that one drawing works on every palette and ground. */
export interface Scheme extends Palette {
  ground: Ground;
  backFrom: string;
  backTo: string;
  /** Strong and quiet marks drawn straight on the background. */
  over: string;
  overSoft: string;
  /** Cards and panels, the second level inside them, and their hairlines. */
  surface: string;
  inset: string;
  line: string;
  /** Strong and quiet marks drawn on a surface. */
  text: string;
  textSoft: string;
  /** The family's colour that reads best on a surface. */
  tone: string;
  shade: string;
}

/** Colour `from` moved towards `to` by a share of 0 to 1, as #rrggbb. */
export function mix(from: string, to: string, share: number): string {
  const channel = (at: number): string => {
    const a = Number.parseInt(from.slice(at, at + 2), 16);
    const b = Number.parseInt(to.slice(at, at + 2), 16);
    return Math.round(a + (b - a) * share)
      .toString(16)
      .padStart(2, '0');
  };
  return `#${channel(1)}${channel(3)}${channel(5)}`;
}

type GroundColours = Omit<Scheme, keyof Palette | 'ground'>;

const WHITE = '#ffffff';

function onWhite(palette: Palette): Omit<GroundColours, 'backFrom' | 'backTo' | 'over' | 'overSoft'> {
  return {
    surface: WHITE,
    inset: mix(palette.mist, WHITE, 0.15),
    line: mix(palette.ink, WHITE, 0.88),
    text: palette.ink,
    textSoft: mix(palette.ink, WHITE, 0.74),
    tone: palette.main,
    shade: palette.ink,
  };
}

const GROUND_COLOURS: Record<Ground, (palette: Palette) => GroundColours> = {
  light: (palette) => ({
    ...onWhite(palette),
    backFrom: palette.mist,
    backTo: mix(palette.mist, palette.bright, 0.55),
    over: palette.ink,
    overSoft: mix(palette.mist, palette.main, 0.28),
  }),
  dark: (palette) => ({
    backFrom: mix(palette.ink, palette.deep, 0.42),
    backTo: mix(palette.ink, '#000000', 0.25),
    over: WHITE,
    overSoft: mix(palette.ink, palette.bright, 0.3),
    surface: mix(palette.ink, palette.bright, 0.13),
    inset: mix(palette.ink, palette.bright, 0.2),
    line: mix(palette.ink, palette.bright, 0.28),
    text: WHITE,
    textSoft: mix(palette.ink, palette.bright, 0.48),
    tone: mix(palette.main, palette.bright, 0.25),
    shade: '#000000',
  }),
  vivid: (palette) => ({
    ...onWhite(palette),
    backFrom: mix(palette.main, palette.bright, 0.12),
    backTo: mix(palette.main, palette.deep, 0.72),
    over: WHITE,
    overSoft: mix(palette.main, WHITE, 0.35),
  }),
  paper: (palette) => ({
    ...onWhite(palette),
    backFrom: '#fbf9f5',
    backTo: mix('#efeae0', palette.bright, 0.16),
    over: palette.ink,
    overSoft: mix('#e6e0d4', palette.main, 0.14),
  }),
};

/** The roles that a palette's colours play on a ground. */
export function schemeOf(name: PaletteName, ground: Ground): Scheme {
  const palette = PALETTES[name];
  return { ...palette, ground, ...GROUND_COLOURS[ground](palette) };
}

import type { Glyph } from './glyph-kind.ts';
import { arc, box, diamond, disc, group, repeat, ring, shape, stroke } from './shape.ts';

export const DATA_AND_MOTION_GLYPHS = {
  bars: ({ solid, tint }) =>
    box(124, 252, 68, 140, 22, tint) + box(222, 184, 68, 208, 22, solid) + box(320, 120, 68, 272, 22, tint),
  pulse: ({ solid, tint }) =>
    stroke('M112 272H176L216 160L276 352L320 240H340', solid, 34) + disc(380, 240, 24, tint),
  table: ({ solid, tint }) =>
    box(116, 124, 280, 72, 24, solid) +
    repeat(2, (row) =>
      repeat(3, (column) =>
        box(116 + column * 98, 212 + row * 96, 84, 80, 18, row + column === 2 ? solid : tint),
      ),
    ),
  river: ({ solid, tint }) =>
    shape('M116 128C256 128 256 216 396 216V300C256 300 256 212 116 212Z', solid) +
    shape('M116 248C256 248 256 324 396 324V384C256 384 256 320 116 320Z', tint),
  heat: ({ solid, tint }) =>
    repeat(4, (row) =>
      repeat(4, (column) =>
        box(
          116 + column * 73,
          116 + row * 73,
          60,
          60,
          16,
          (row * 3 + column * 2) % 5 < 2 ? solid : tint,
          (row + column) % 3 === 0 ? 'opacity="0.5"' : '',
        ),
      ),
    ),
  signal: ({ solid, tint }) =>
    disc(256, 352, 32, solid) +
    arc(256, 352, 104, -0.13, 0.13, solid, 34, 'round') +
    arc(256, 352, 184, -0.13, 0.13, tint, 34, 'round'),
  curve: ({ solid, tint, cut }) =>
    stroke('M128 384C272 384 240 128 384 128', solid, 36) +
    stroke('M128 384H236M384 128H276', tint, 14) +
    disc(244, 384, 24, tint, `stroke="${cut}" stroke-width="8"`) +
    disc(268, 128, 24, tint, `stroke="${cut}" stroke-width="8"`),
  keyframes: ({ solid, tint }) =>
    box(112, 246, 288, 20, 10, tint) +
    diamond(146, 256, 54, solid) +
    diamond(256, 256, 84, solid) +
    diamond(366, 256, 54, solid),
  trail: ({ solid, tint }) =>
    disc(168, 256, 60, tint, 'opacity="0.45"') +
    disc(228, 256, 74, tint, 'opacity="0.8"') +
    disc(304, 256, 92, solid),
  spinner: ({ solid, tint }) =>
    repeat(8, (i) =>
      group(
        `rotate(${i * 45} 256 256)`,
        box(238, 112, 36, 92, 18, i < 4 ? solid : tint, `opacity="${1 - i * 0.09}"`),
      ),
    ),
  scroll: ({ solid, tint, cut }) =>
    box(172, 108, 168, 296, 84, solid) +
    box(242, 160, 28, 76, 14, cut) +
    stroke('M220 312L256 344L292 312', cut, 22) +
    disc(120, 256, 18, tint) +
    disc(392, 256, 18, tint),
  clock: ({ solid, tint }) => ring(256, 256, 128, solid, 34) + stroke('M256 180V256L312 292', tint, 32),
  cube: ({ solid, tint }) =>
    shape('M256 112L384 184L256 256L128 184Z', solid) +
    shape('M128 208L244 274V404L128 338Z', tint) +
    shape('M384 208L268 274V404L384 338Z', solid, 'opacity="0.72"'),
  layers: ({ solid, tint }) =>
    shape('M256 300L128 236L96 252L256 400L416 252L384 236Z', tint, 'opacity="0"') +
    stroke('M128 312L256 380L384 312', tint, 30) +
    stroke('M128 256L256 324L384 256', tint, 30) +
    shape(
      'M256 116L400 194L256 270L112 194Z',
      solid,
      `stroke="${solid}" stroke-width="16" stroke-linejoin="round"`,
    ),
  frost: ({ solid, tint, cut }) =>
    disc(212, 212, 96, tint) +
    box(196, 196, 200, 200, 48, solid, `stroke="${cut}" stroke-width="14"`) +
    stroke('M236 244H312', cut, 18),
  device: ({ solid, tint, cut }) =>
    box(108, 144, 236, 176, 30, tint) +
    box(268, 188, 124, 220, 34, solid, `stroke="${cut}" stroke-width="14"`) +
    box(308, 364, 44, 14, 7, cut),
  halftone: ({ solid, tint }) =>
    repeat(5, (row) =>
      repeat(5, (column) =>
        disc(128 + column * 64, 128 + row * 64, 27 - (row + column) * 2.6, row + column < 5 ? solid : tint),
      ),
    ),
  contour: ({ solid, tint }) =>
    stroke('M112 336C168 176 248 400 400 184', solid, 28) +
    stroke('M112 260C168 100 248 324 400 108', tint, 28) +
    stroke('M112 404C168 260 256 460 400 268', tint, 28),
  shadow: ({ solid, tint }) => box(172, 176, 220, 220, 60, tint) + box(116, 116, 220, 220, 60, solid),
} satisfies Record<string, Glyph>;

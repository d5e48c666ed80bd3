import type { Glyph } from './glyph-kind.ts';
import { box, diamond, disc, group, repeat, ring, shape, sparkle, stroke } from './shape.ts';

export const OBJECT_GLYPHS = {
  blocks: ({ solid, tint }) =>
    box(120, 120, 124, 124, 34, solid) +
    box(120, 268, 124, 124, 34, tint) +
    box(268, 268, 124, 124, 34, solid) +
    diamond(330, 182, 76, tint, `stroke="${tint}" stroke-width="20" stroke-linejoin="round"`),
  anchor: ({ solid, tint }) =>
    ring(256, 146, 34, solid, 28) +
    stroke('M256 184V384M136 276C136 348 188 384 256 388C324 384 376 348 376 276', solid, 34) +
    stroke('M204 228H308', tint, 30),
  keyline: ({ solid, tint }) =>
    box(124, 124, 264, 264, 60, 'none', `stroke="${tint}" stroke-width="16"`) +
    ring(256, 256, 132, tint, 16) +
    sparkle(256, 256, 112, solid),
  weights: ({ solid, tint }) =>
    stroke('M136 376L260 136', tint, 14) +
    stroke('M204 376L328 136', solid, 32) +
    stroke('M296 376L392 190', solid, 54),
  flag: ({ solid, tint }) =>
    box(132, 112, 28, 296, 14, tint) +
    shape('M172 128C240 100 288 168 388 132V288C288 324 240 256 172 284Z', solid),
  window: ({ solid, tint, cut }) =>
    box(112, 136, 288, 240, 44, solid) +
    disc(160, 180, 14, cut) +
    disc(204, 180, 14, cut) +
    box(148, 224, 216, 116, 22, cut, 'opacity="0.35"') +
    sparkle(256, 282, 46, cut) +
    disc(0, 0, 0, tint),
  speech: ({ solid, tint, cut }) =>
    shape(
      'M164 128H348A52 52 0 0 1 400 180V276A52 52 0 0 1 348 328H248L176 392V328H164A52 52 0 0 1 112 276V180A52 52 0 0 1 164 128Z',
      solid,
    ) +
    box(168, 188, 176, 24, 12, cut) +
    box(168, 242, 112, 24, 12, cut, 'opacity="0.6"') +
    disc(0, 0, 0, tint),
  face: ({ solid, tint }) =>
    disc(256, 196, 76, solid) + shape('M120 396C120 324 180 292 256 292C332 292 392 324 392 396Z', tint),
  picture: ({ solid, cut }) =>
    box(112, 124, 288, 264, 52, solid) +
    disc(316, 204, 32, cut) +
    shape('M136 364L220 236L284 316L320 280L376 364Z', cut),
  badge: ({ solid, tint, cut }) =>
    box(132, 112, 248, 288, 44, solid) +
    disc(256, 212, 44, cut) +
    shape('M184 324C184 280 220 268 256 268C292 268 328 280 328 324Z', cut) +
    box(212, 344, 88, 20, 10, tint),
  code2d: ({ solid, tint }) =>
    [
      [124, 124],
      [284, 124],
      [124, 284],
    ]
      .map(
        ([x = 0, y = 0]) =>
          box(x, y, 104, 104, 26, 'none', `stroke="${solid}" stroke-width="26"`) +
          box(x + 34, y + 34, 36, 36, 9, solid),
      )
      .join('') +
    box(276, 276, 52, 52, 13, tint) +
    box(344, 276, 52, 52, 13, solid) +
    box(276, 344, 52, 52, 13, solid) +
    box(344, 344, 52, 52, 13, tint),
  pin: ({ solid, tint, cut }) =>
    shape('M256 400C256 400 368 300 368 216A112 112 0 0 0 144 216C144 300 256 400 256 400Z', solid) +
    disc(256, 216, 46, cut) +
    disc(256, 216, 22, tint),
  weave: ({ solid, tint }) =>
    repeat(3, (i) => box(112, 132 + i * 96, 288, 52, 20, tint)) +
    repeat(3, (i) =>
      repeat(3, (j) => ((i + j) % 2 ? '' : box(132 + i * 96, 116 + j * 96, 52, 84, 18, solid))),
    ),
  eye: ({ solid, tint, cut }) =>
    shape(
      'M96 256C152 156 204 136 256 136C308 136 360 156 416 256C360 356 308 376 256 376C204 376 152 356 96 256Z',
      solid,
    ) +
    disc(256, 256, 72, cut) +
    disc(256, 256, 36, tint),
  focus: ({ solid, tint }) =>
    stroke(
      'M120 200V152A32 32 0 0 1 152 120H200M312 120H360A32 32 0 0 1 392 152V200M392 312V360A32 32 0 0 1 360 392H312M200 392H152A32 32 0 0 1 120 360V312',
      tint,
      30,
    ) + box(188, 188, 136, 136, 36, solid),
  person: ({ solid, tint }) =>
    disc(256, 140, 38, tint) +
    stroke('M132 216C200 236 312 236 380 216M256 232V292L200 396M256 292L312 396', solid, 36),
  touch: ({ solid, tint }) =>
    ring(256, 208, 96, tint, 22) +
    shape(
      'M226 208A30 30 0 0 1 286 208V288L344 302C368 308 376 324 372 348L360 404H232L176 328C164 308 188 290 208 304L226 320Z',
      solid,
    ),
  compass: ({ solid, tint }) =>
    ring(256, 256, 134, solid, 30) + shape('M324 188L284 284L188 324L228 228Z', tint),
  chevrons: ({ solid, tint }) =>
    stroke('M192 152L104 256L192 360', solid, 40) +
    stroke('M320 152L408 256L320 360', solid, 40) +
    stroke('M284 140L228 372', tint, 32),
  braces: ({ solid, tint }) =>
    stroke('M212 120C152 120 184 256 124 256C184 256 152 392 212 392', solid, 36) +
    stroke('M300 120C360 120 328 256 388 256C328 256 360 392 300 392', solid, 36) +
    disc(256, 256, 28, tint),
  press: ({ solid, tint }) =>
    box(120, 120, 272, 64, 26, tint) +
    stroke('M256 220V340', solid, 40) +
    stroke('M188 284L256 352L324 284', solid, 40) +
    box(120, 384, 272, 24, 12, tint),
  feather: ({ solid, tint }) =>
    shape('M392 120C260 108 152 196 152 312C152 332 156 348 160 360C284 372 392 276 392 120Z', solid) +
    stroke('M116 400C164 336 228 268 304 208', tint, 22),
  ruler: ({ solid, tint, cut }) =>
    group(
      'rotate(-45 256 256)',
      box(88, 196, 336, 120, 28, solid) +
        repeat(5, (i) => box(136 + i * 56, 196, 16, i % 2 ? 44 : 64, 6, i === 2 ? tint : cut)),
    ),
  globe: ({ solid, tint }) =>
    ring(256, 256, 130, solid, 28) +
    stroke('M126 256H386', tint, 22) +
    stroke('M256 126C180 208 180 304 256 386C332 304 332 208 256 126Z', solid, 24),
  crop: ({ solid, tint }) => stroke('M176 104V336H408', solid, 36) + stroke('M104 176H336V408', tint, 36),
  broom: ({ solid, tint }) =>
    box(124, 132, 132, 56, 20, solid) +
    box(124, 228, 264, 56, 20, tint) +
    box(124, 324, 196, 56, 20, solid) +
    sparkle(344, 158, 46, tint),
  tag: ({ solid, cut }) =>
    shape(
      'M128 148A24 24 0 0 1 152 124H260L396 260A28 28 0 0 1 396 300L300 396A28 28 0 0 1 260 396L128 260Z',
      solid,
    ) + disc(200, 196, 28, cut),
  lens: ({ solid, tint }) =>
    ring(228, 228, 96, solid, 36) + stroke('M304 304L384 384', solid, 42) + stroke('M188 228H268', tint, 26),
  path: ({ solid, tint }) =>
    stroke('M172 152H300A52 52 0 0 1 300 256H212A52 52 0 0 0 212 360H340', tint, 28) +
    box(112, 112, 80, 80, 26, solid) +
    disc(360, 360, 44, solid),
  census: ({ solid, tint }) =>
    diamond(256, 170, 62, solid) +
    diamond(164, 262, 62, tint) +
    diamond(348, 262, 62, tint) +
    diamond(256, 354, 62, solid),
  note: ({ solid, tint, cut }) =>
    shape(
      'M152 120H360A32 32 0 0 1 392 152V292L292 392H152A32 32 0 0 1 120 360V152A32 32 0 0 1 152 120Z',
      solid,
    ) +
    shape('M292 392V324A32 32 0 0 1 324 292H392Z', tint) +
    box(172, 188, 168, 24, 12, cut, 'opacity="0.7"') +
    box(172, 240, 104, 24, 12, cut, 'opacity="0.7"'),
} satisfies Record<string, Glyph>;

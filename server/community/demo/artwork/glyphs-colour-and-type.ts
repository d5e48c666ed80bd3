import type { Glyph } from './glyph-kind.ts';
import { arc, box, diamond, disc, group, repeat, ring, shape, stroke } from './shape.ts';

export const COLOUR_AND_TYPE_GLYPHS = {
  droplet: ({ solid, tint }) =>
    shape('M256 104C256 104 360 216 360 296A104 104 0 0 1 152 296C152 216 256 104 256 104Z', solid) +
    shape('M256 104C256 104 360 216 360 296A104 104 0 0 1 256 400Z', tint),
  fan: ({ solid, tint, cut }) =>
    group('rotate(0 176 356)', box(132, 124, 88, 276, 26, solid)) +
    group('rotate(42 176 356)', box(132, 124, 88, 276, 26, tint, `stroke="${cut}" stroke-width="10"`)) +
    group('rotate(84 176 356)', box(132, 124, 88, 276, 26, solid, `stroke="${cut}" stroke-width="10"`)) +
    disc(176, 356, 17, cut),
  halves: ({ solid, tint }) =>
    ring(256, 256, 124, solid, 32) + shape('M256 132A124 124 0 0 1 256 380Z', tint),
  ramp: ({ solid, tint }) =>
    box(116, 236, 60, 160, 20, tint, 'opacity="0.55"') +
    box(189, 194, 60, 202, 20, tint) +
    box(262, 152, 60, 244, 20, solid, 'opacity="0.85"') +
    box(335, 110, 60, 286, 20, solid),
  moon: ({ solid, tint }) =>
    shape('M300 116A144 144 0 1 0 396 308A116 116 0 0 1 300 116Z', solid) +
    disc(352, 156, 15, tint) +
    disc(388, 214, 10, tint),
  blend: ({ solid, tint, cut }) =>
    disc(210, 216, 92, solid) +
    disc(302, 216, 92, tint) +
    disc(256, 300, 92, solid, `stroke="${cut}" stroke-width="12"`),
  swap: ({ solid, tint }) =>
    stroke('M128 212A134 134 0 0 1 364 176L384 204M384 132V204H312', solid, 34) +
    stroke('M384 300A134 134 0 0 1 148 336L128 308M128 380V308H200', tint, 34),
  cup: ({ solid, tint }) =>
    shape('M132 208H340V300A80 80 0 0 1 260 380H212A80 80 0 0 1 132 300Z', solid) +
    stroke('M348 232H362A34 34 0 0 1 362 300H346', solid, 26) +
    stroke('M190 168C190 148 206 144 206 124M262 168C262 148 278 144 278 124', tint, 22),
  letter: ({ solid, tint }) =>
    stroke('M136 384L236 128L336 384M172 300H300', solid, 40) + disc(372, 356, 30, tint),
  bowl: ({ solid, tint }) =>
    ring(236, 272, 88, solid, 42) + box(306, 164, 42, 218, 12, solid) + box(372, 164, 18, 218, 9, tint),
  lines: ({ solid, tint }) =>
    box(120, 136, 272, 36, 18, solid) +
    box(120, 206, 208, 36, 18, tint) +
    box(120, 276, 272, 36, 18, solid) +
    box(120, 346, 144, 36, 18, tint),
  kern: ({ solid, tint }) =>
    stroke('M116 152L184 352L252 152', solid, 36) +
    stroke('M260 352L328 152L396 352M284 292H372', solid, 36) +
    box(250, 112, 12, 288, 6, tint),
  scale: ({ solid, tint }) =>
    stroke('M120 376L168 248L216 376M136 340H200', tint, 24) +
    stroke('M236 376L316 136L396 376M264 300H368', solid, 36),
  quotes: ({ solid, tint }) =>
    shape('M232 148C160 164 120 216 120 296A56 56 0 1 0 184 240C188 212 204 196 232 188Z', solid) +
    shape('M392 148C320 164 280 216 280 296A56 56 0 1 0 344 240C348 212 364 196 392 188Z', tint),
  axis: ({ solid, tint, cut }) =>
    repeat(3, (i) => box(120, 166 + i * 78, 272, 24, 12, tint)) +
    disc(188, 178, 38, solid, `stroke="${cut}" stroke-width="12"`) +
    disc(316, 256, 38, solid, `stroke="${cut}" stroke-width="12"`) +
    disc(228, 334, 38, solid, `stroke="${cut}" stroke-width="12"`),
  initial: ({ solid, tint }) =>
    box(112, 128, 144, 152, 28, solid) +
    box(284, 128, 116, 30, 15, tint) +
    box(284, 188, 116, 30, 15, tint) +
    box(284, 248, 84, 30, 15, tint) +
    box(112, 308, 288, 30, 15, tint) +
    box(112, 366, 200, 30, 15, tint),
  width: ({ solid, tint }) =>
    box(120, 152, 92, 208, 24, solid) +
    box(236, 152, 46, 208, 20, tint) +
    box(306, 152, 46, 208, 20, tint) +
    box(372, 152, 20, 208, 10, solid),
  brackets: ({ solid, tint }) =>
    stroke('M204 124H132V388H204', solid, 36) +
    stroke('M308 124H380V388H308', solid, 36) +
    diamond(256, 256, 46, tint),
  pie: ({ solid, tint }) =>
    arc(256, 256, 106, 0.04, 0.62, solid, 60) +
    arc(256, 256, 106, 0.66, 0.81, tint, 60) +
    arc(256, 256, 106, 0.85, 1, tint, 60),
} satisfies Record<string, Glyph>;

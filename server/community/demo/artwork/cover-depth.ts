import { type CoverMotif, panel, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { box, cursor, disc, num, repeat, shape } from './shape.ts';

/** One cube of an isometric scene; `x`, `y` is the front corner of its floor. */
function cube(
  x: number,
  y: number,
  size: number,
  height: number,
  top: string,
  left: string,
  right: string,
): string {
  const [w, h] = [size * 0.866, size * 0.5];
  const at = (dx: number, dy: number): string => `${num(x + dx)} ${num(y + dy)}`;
  return (
    shape(`M${at(0, -height)}L${at(-w, -h - height)}L${at(0, -2 * h - height)}L${at(w, -h - height)}Z`, top) +
    shape(`M${at(0, 0)}L${at(-w, -h)}L${at(-w, -h - height)}L${at(0, -height)}Z`, left) +
    shape(`M${at(0, 0)}L${at(w, -h)}L${at(w, -h - height)}L${at(0, -height)}Z`, right)
  );
}

export const DEPTH_COVERS = {
  blocks: (s, random, density) => {
    const size = 196 - density * 18;
    const span = 3 + density;
    const cells = Array.from({ length: span * span }, (_, i) => [i % span, Math.floor(i / span)] as const);
    const tops =
      s.ground === 'vivid' ? ['#ffffff', s.bright, s.accent, s.pop] : [s.tone, s.bright, s.accent, s.pop];
    return cells
      .map(([column, row]) => {
        const tall =
          size * (0.3 + random() * 2.3) * (1 - Math.hypot(column - span / 2, row - span / 2) / (span * 1.3));
        const top = tops[Math.floor(random() * 4)] ?? s.main;
        return cube(
          960 + (column - row) * size * 0.866,
          664 + (column + row - span + 2) * size * 0.5,
          size,
          Math.max(30, tall),
          mix(top, '#ffffff', 0.18),
          mix(top, s.ink, 0.32),
          mix(top, s.ink, 0.58),
        );
      })
      .join('');
  },
  glass: (s) =>
    disc(560, 380, 300, s.accent) +
    disc(1340, 700, 360, s.ground === 'vivid' ? s.pop : s.main) +
    disc(1180, 260, 130, s.pop) +
    `<g clip-path="url(#pane)"><g filter="url(#melt)">${box(0, 0, 1920, 1080, 0, s.backTo)}${disc(560, 380, 300, s.accent)}${disc(1340, 700, 360, s.ground === 'vivid' ? s.pop : s.main)}${disc(1180, 260, 130, s.pop)}</g>${box(500, 250, 920, 580, 64, '#ffffff', 'opacity="0.3"')}</g>` +
    box(500, 250, 920, 580, 64, 'none', 'stroke="#ffffff" stroke-opacity="0.75" stroke-width="5"') +
    disc(610, 370, 52, '#ffffff', 'opacity="0.9"') +
    words(700, 340, 300, 28, '#ffffff') +
    words(700, 388, 200, 22, '#ffffff') +
    words(560, 690, 520, 34, '#ffffff') +
    words(560, 748, 340, 26, '#ffffff') +
    box(1210, 690, 150, 84, 42, '#ffffff'),
  stage: (s) => {
    const screen = (x: number, y: number, w: number, h: number, r: number): string =>
      panel(s, x, y, w, h, r, '#17171d') +
      box(x + 18, y + 18, w - 36, h - 36, r - 14, mix(s.mist, '#ffffff', 0.4));
    return (
      `<ellipse cx="960" cy="960" rx="900" ry="120" fill="${s.overSoft}" opacity="0.55"/>` +
      screen(330, 130, 1080, 700, 44) +
      box(790, 830, 160, 90, 0, '#c9c9d2') +
      box(640, 910, 460, 30, 15, '#e0e0e6') +
      box(348, 148, 1044, 250, 30, s.main) +
      words(410, 220, 380, 48, '#ffffff') +
      words(410, 296, 260, 26, s.bright) +
      repeat(
        3,
        (i) =>
          box(410 + i * 320, 450, 280, 210, 30, [s.bright, s.accent, s.pop][i] ?? s.main) +
          words(410 + i * 320, 690, 200, 26, s.ink),
      ) +
      screen(1250, 330, 350, 660, 62) +
      box(1268, 348, 314, 250, 48, s.accent) +
      disc(1425, 470, 66, '#ffffff') +
      repeat(
        3,
        (i) =>
          box(1300, 640 + i * 98, 74, 74, 22, [s.main, s.pop, s.bright][i] ?? s.main) +
          words(1396, 656 + i * 98, 140, 18, s.ink) +
          words(1396, 688 + i * 98, 96, 14, '#c7c7d2'),
      )
    );
  },
  halftone: (s, random, density) => {
    const step = 62 - density * 7;
    const [cx, cy] = [700 + random() * 500, 480];
    const rows = Math.ceil(1080 / step);
    const columns = Math.ceil(1920 / step) + 1;
    return repeat(rows, (row) =>
      repeat(columns, (column) => {
        const [x, y] = [column * step + (row % 2 ? step / 2 : 0), row * step + step / 2];
        const near = Math.hypot(x - cx, y - cy) / 620;
        const lit = Math.hypot(x - cx + 190, y - cy + 190) / 760;
        const size = near < 1 ? step * 0.56 * Math.min(1, lit) : step * 0.1;
        return disc(
          x,
          y,
          Math.max(2, size),
          near < 1
            ? mix(s.accent, s.ground === 'vivid' ? '#ffffff' : s.tone, Math.min(1, lit * 0.9))
            : s.overSoft,
        );
      }),
    );
  },
  contours: (s, random, density) => {
    const lines = 16 + density * 4;
    const lean = random() * 200;
    return repeat(lines, (i) => {
      const y = 90 + i * (1000 / lines);
      const hill = 260 * Math.exp(-(((i - lines * 0.55) / (lines * 0.3)) ** 2));
      return shape(
        `M-20 ${num(y)}C300 ${num(y)} ${num(420 + lean)} ${num(y - hill * 1.5)} ${num(700 + lean)} ${num(y - hill)}S${num(1050 + lean)} ${num(y + hill * 0.15)} ${num(1250 + lean)} ${num(y - hill * 0.55)}S1700 ${num(y)} 1940 ${num(y)}V1100H-20Z`,
        mix(s.backFrom, s.backTo, i / lines),
        `stroke="${i % 5 === 2 ? s.accent : s.ground === 'vivid' ? '#ffffff' : s.tone}" stroke-width="${i % 5 === 2 ? 9 : 5}"`,
      );
    });
  },
  shadows: (s) =>
    repeat(3, (i) => {
      const x = 190 + i * 540;
      return (
        repeat(7, (k) =>
          box(
            x + 14 - k * 6,
            330 + k * (10 + i * 12),
            446 + k * 12,
            440,
            80 + k * 8,
            s.shade,
            'opacity="0.035"',
          ),
        ) +
        box(x, 290, 474, 474, 84, i === 1 ? s.accent : s.surface) +
        disc(x + 237, 527, 90 + i * 12, i === 1 ? '#ffffff' : s.tone)
      );
    }) + cursor(1120, 690, 110, '#ffffff', '#22222a'),
} satisfies Record<string, CoverMotif>;

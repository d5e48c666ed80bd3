import { type CoverMotif, panel, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { arc, box, disc, num, repeat, ring, rule, stroke } from './shape.ts';

const letterA = (x: number, y: number, height: number, colour: string, width: number): string =>
  stroke(
    `M${num(x)} ${num(y)}L${num(x + height * 0.38)} ${num(y - height)}L${num(x + height * 0.76)} ${num(y)}M${num(x + height * 0.15)} ${num(y - height * 0.36)}H${num(x + height * 0.61)}`,
    colour,
    width,
  );

const letterN = (x: number, y: number, height: number, colour: string, width: number): string =>
  stroke(
    `M${num(x)} ${num(y)}V${num(y - height)}M${num(x)} ${num(y - height * 0.62)}C${num(x + height * 0.06)} ${num(y - height * 1.08)} ${num(x + height * 0.7)} ${num(y - height * 1.14)} ${num(x + height * 0.7)} ${num(y - height * 0.56)}V${num(y)}`,
    colour,
    width,
  );

export const TYPE_COVERS = {
  specimen: (s) => {
    const node = (x: number, y: number): string =>
      box(x - 15, y - 15, 30, 30, 4, '#ffffff', `stroke="${s.accent}" stroke-width="8"`);
    return (
      [250, 450, 790, 930]
        .map((y) => rule(90, y, 1830, y, s.overSoft, 4, 'stroke-dasharray="2 16" stroke-linecap="round"'))
        .join('') +
      letterA(300, 790, 540, s.over, 96) +
      ring(1130, 620, 172, s.ground === 'vivid' ? s.bright : s.tone, 92) +
      box(1262, 404, 92, 430, 12, s.ground === 'vivid' ? s.bright : s.tone) +
      disc(1560, 770, 64, s.accent) +
      rule(1130, 448, 1330, 448, s.accent, 5) +
      [958, 1302].map((x) => node(x, 620)).join('') +
      node(1130, 448) +
      node(1130, 792) +
      node(505, 250)
    );
  },
  paragraph: (s, random) => {
    const column = (x: number, width: number, from: number): string =>
      repeat(from, (i) =>
        words(
          x,
          880 - (from - 1 - i) * 62,
          i === from - 1 ? width * 0.55 : width * (0.88 + random() * 0.12),
          26,
          i % 4 === 1 ? s.textSoft : mix(s.textSoft, s.text, 0.35),
        ),
      );
    return (
      panel(s, 210, 90, 1500, 1100, 40) +
      words(300, 190, 760, 70, s.text) +
      words(300, 290, 480, 34, s.tone) +
      box(300, 396, 250, 250, 28, s.tone) +
      letterA(350, 600, 158, '#ffffff', 34) +
      repeat(4, (i) => words(590, 404 + i * 62, 300 - random() * 40, 26, mix(s.textSoft, s.text, 0.35))) +
      column(300, 590, 4) +
      column(980, 640, 8) +
      repeat(9, (i) => rule(210, 430 + i * 62, 1710, 430 + i * 62, s.accent, 2, 'opacity="0.3"'))
    );
  },
  weights: (s) => {
    const stems = [14, 30, 52, 82, 118];
    return (
      stems
        .map((width, i) => letterN(190 + i * 330, 690, 400 - width * 0.3, i === 3 ? s.accent : s.over, width))
        .join('') +
      words(190, 868, 1540, 20, s.overSoft) +
      words(190, 868, 1120, 20, s.ground === 'vivid' ? '#ffffff' : s.tone) +
      disc(1310, 878, 56, '#ffffff', 'filter="url(#lift)"') +
      disc(1310, 878, 24, s.main)
    );
  },
  scale: (s, _random, density) => {
    const steps = 4 + density;
    let x = 120;
    const heights = Array.from({ length: steps }, (_, i) => 90 * 1.34 ** i);
    const fit = 1680 / heights.reduce((sum, height) => sum + height * 0.76 + 50, 0);
    return (
      rule(80, 880, 1840, 880, s.overSoft, 5) +
      heights
        .map((height, i) => {
          const tall = height * fit;
          const drawn =
            letterA(
              x + tall * 0.08,
              880 - tall * 0.06,
              tall,
              i === steps - 2 ? s.accent : s.over,
              tall * 0.15,
            ) +
            rule(x, 880 - tall * 1.12, x + tall * 0.9, 880 - tall * 1.12, s.overSoft, 4) +
            words(x + tall * 0.2, 930, Math.max(40, tall * 0.5), 22, s.overSoft);
          x += tall * 0.76 + 50 * fit;
          return drawn;
        })
        .join('')
    );
  },
  spacing: (s) => {
    const cells: [number, string][] = [
      [210, 'a'],
      [210, 'o'],
      [110, 'i'],
      [210, 'n'],
      [110, 'i'],
      [210, 'o'],
      [210, 'a'],
    ];
    let x = 170;
    return (
      cells
        .map(([width, kind], i) => {
          const at = x;
          x += width + 56;
          const mark: Record<string, string> = {
            a: letterA(at + 36, 660, 190, s.text, 34),
            o: ring(at + 105, 570, 74, s.tone, 40),
            i: box(at + 36, 490, 38, 176, 12, s.text) + disc(at + 55, 440, 24, s.accent),
            n: letterN(at + 52, 660, 160, s.text, 38),
          };
          const gap =
            i < cells.length - 1 ? box(at + width + 6, 350, 44, 400, 10, s.accent, 'opacity="0.85"') : '';
          return panel(s, at, 330, width, 440, 30) + (mark[kind] ?? '') + gap;
        })
        .join('') +
      words(170, 860, 520, 28, s.over) +
      words(170, 914, 340, 22, s.overSoft)
    );
  },
  grid: (s) => {
    const glyphs = [
      (x: number, y: number): string => letterA(x + 66, y + 236, 170, s.text, 30),
      (x: number, y: number): string => ring(x + 140, y + 150, 72, s.text, 34),
      (x: number, y: number): string => letterN(x + 92, y + 236, 150, s.text, 34),
      (x: number, y: number): string => arc(x + 140, y + 150, 74, 0.1, 0.86, s.text, 36, 'round'),
      (x: number, y: number): string =>
        stroke(`M${x + 76} ${y + 90}H${x + 206}L${x + 76} ${y + 216}H${x + 206}`, s.text, 32),
      (x: number, y: number): string =>
        stroke(
          `M${x + 84} ${y + 80}V${y + 224}M${x + 84} ${y + 150}H${x + 196}M${x + 196} ${y + 80}V${y + 224}`,
          s.text,
          32,
        ),
      (x: number, y: number): string =>
        stroke(
          `M${x + 80} ${y + 226}V${y + 84}L${x + 142} ${y + 160}L${x + 204} ${y + 84}V${y + 226}`,
          s.text,
          30,
        ),
      (x: number, y: number): string =>
        stroke(`M${x + 74} ${y + 84}L${x + 140} ${y + 224}L${x + 206} ${y + 84}`, s.text, 32),
    ];
    return repeat(15, (i) => {
      const [x, y] = [150 + (i % 5) * 330, 60 + Math.floor(i / 5) * 330];
      return (
        panel(s, x, y, 300, 300, 40, i === 7 ? s.accent : s.surface) + (glyphs[(i * 3) % 8]?.(x, y) ?? '')
      );
    });
  },
  pairs: (s) =>
    panel(s, 180, 150, 760, 780, 44) +
    letterA(270, 640, 360, s.text, 24) +
    ring(680, 566, 66, s.text, 20) +
    box(736, 480, 20, 168, 4, s.text) +
    words(290, 760, 420, 26, s.textSoft) +
    words(290, 812, 300, 26, s.textSoft) +
    panel(s, 980, 150, 760, 780, 44, s.tone) +
    letterA(1110, 620, 330, '#ffffff', 70) +
    ring(1530, 556, 62, '#ffffff', 50) +
    box(1576, 466, 48, 190, 8, '#ffffff') +
    words(1090, 760, 420, 26, mix(s.tone, '#ffffff', 0.5)) +
    words(1090, 812, 300, 26, mix(s.tone, '#ffffff', 0.5)) +
    disc(960, 540, 70, '#ffffff', 'filter="url(#lift)"') +
    stroke('M928 540H992M960 508V572', s.main, 14),
} satisfies Record<string, CoverMotif>;

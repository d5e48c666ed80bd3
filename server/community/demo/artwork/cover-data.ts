import { type CoverMotif, panel, seriesOf, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { arc, box, cursor, disc, num, repeat, rule, shape, stroke } from './shape.ts';

/** A curve through points at even steps, smooth as chart tools draw it. */
function smooth(values: readonly number[], x: number, step: number): string {
  return values
    .map((y, i) => {
      const before = values[i - 1];
      const at = x + i * step;
      return before === undefined
        ? `M${num(at)} ${num(y)}`
        : `C${num(at - step / 2)} ${num(before)} ${num(at - step / 2)} ${num(y)} ${num(at)} ${num(y)}`;
    })
    .join('');
}

export const DATA_COVERS = {
  bars: (s, random, density) => {
    const count = 6 + density * 2;
    const slot = 1360 / count;
    return (
      panel(s, 180, 110, 1560, 860, 44) +
      words(260, 180, 360, 44, s.text) +
      words(260, 246, 220, 26, s.textSoft) +
      repeat(
        3,
        (i) =>
          disc(1400 + i * 110, 204, 18, seriesOf(s)[i] ?? s.tone) +
          words(1428 + i * 110, 196, 50, 16, s.textSoft),
      ) +
      repeat(5, (i) => rule(260, 340 + i * 125, 1660, 340 + i * 125, s.line, 3)) +
      repeat(count, (i) => {
        const high = 170 + random() * 170 + (i / count) * 180;
        const low = high * (0.35 + random() * 0.25);
        const x = 280 + i * slot;
        return (
          box(x, 840 - high, slot * 0.56, high, 18, i === count - 2 ? s.accent : s.tone) +
          box(
            x,
            840 - low,
            slot * 0.56,
            low,
            18,
            i === count - 2 ? mix(s.accent, '#000000', 0.18) : mix(s.tone, s.deep, 0.6),
          )
        );
      }) +
      repeat(count, (i) => words(280 + i * slot + slot * 0.1, 880, slot * 0.36, 18, s.textSoft))
    );
  },
  area: (s, random) => {
    const values = Array.from({ length: 8 }, (_, i) => 760 - i * 40 - random() * 200);
    const under = Array.from({ length: 8 }, (_, i) => 860 - i * 16 - random() * 110);
    const line = smooth(values, -20, 280);
    const low = smooth(under, -20, 280);
    const peak = values[5] ?? 400;
    return (
      repeat(6, (i) => rule(0, 200 + i * 150, 1920, 200 + i * 150, s.overSoft, 3, 'opacity="0.55"')) +
      shape(`${line}V1080H-20Z`, 'url(#fade)') +
      stroke(line, s.ground === 'vivid' ? '#ffffff' : s.tone, 16) +
      stroke(low, s.accent, 12, 'stroke-dasharray="4 26"') +
      rule(1380, peak, 1380, 1080, s.over, 4, 'stroke-dasharray="10 14" opacity="0.6"') +
      disc(1380, peak, 34, '#ffffff', 'filter="url(#lift)"') +
      disc(1380, peak, 18, s.accent) +
      panel(s, 930, Math.max(70, peak - 260), 390, 210, 34) +
      words(974, Math.max(70, peak - 260) + 44, 150, 24, s.textSoft) +
      words(974, Math.max(70, peak - 260) + 92, 250, 58, s.text)
    );
  },
  rings: (s, random) => {
    const [a, b, c] = seriesOf(s);
    const cut = 0.42 + random() * 0.16;
    return (
      panel(s, 150, 130, 920, 820, 48) +
      arc(610, 540, 250, 0, cut - 0.02, a, 112, 'butt') +
      arc(610, 540, 250, cut, cut + 0.2, b, 112) +
      arc(610, 540, 250, cut + 0.22, 0.98, c, 112) +
      words(520, 500, 180, 48, s.text) +
      words(550, 572, 120, 24, s.textSoft) +
      repeat(
        3,
        (i) =>
          panel(s, 1130, 130 + i * 284, 640, 252, 40) +
          arc(1260, 256 + i * 284, 66, 0, 0.999, s.line, 28) +
          arc(1260, 256 + i * 284, 66, 0, 0.3 + i * 0.2, [a, b, c][i] ?? a, 28, 'round') +
          words(1380, 212 + i * 284, 280, 36, s.text) +
          words(1380, 276 + i * 284, 180, 24, s.textSoft),
      )
    );
  },
  ribbons: (s) => {
    const flow = (y1: number, y2: number, tall: number, fill: string): string =>
      shape(
        `M250 ${y1}C960 ${y1} 960 ${y2} 1670 ${y2}V${y2 + tall}C960 ${y2 + tall} 960 ${y1 + tall} 250 ${y1 + tall}Z`,
        fill,
        'opacity="0.82"',
      );
    const ends = s.over;
    return (
      flow(120, 480, 150, s.accent) +
      flow(270, 100, 170, s.ground === 'vivid' ? s.bright : s.tone) +
      flow(500, 640, 130, s.pop) +
      flow(630, 290, 120, mix(s.bright, '#ffffff', 0.25)) +
      flow(810, 800, 160, s.ground === 'dark' ? s.main : s.deep) +
      [
        [120, 320],
        [500, 250],
        [810, 160],
      ]
        .map(([y = 0, h = 0]) => box(196, y, 54, h, 16, ends))
        .join('') +
      [
        [100, 170],
        [290, 120],
        [480, 150],
        [640, 130],
        [800, 160],
      ]
        .map(([y = 0, h = 0]) => box(1670, y, 54, h, 16, ends))
        .join('')
    );
  },
  heat: (s, random, density) => {
    const columns = 12 + density * 3;
    const cell = 1640 / columns;
    const rows = Math.floor(860 / cell);
    return repeat(rows, (row) =>
      repeat(columns, (column) => {
        const wave = 0.5 + 0.5 * Math.sin(column * 0.55 + row * 0.4) * Math.cos(row * 0.7 - column * 0.2);
        const level = Math.round((wave * 0.75 + random() * 0.25) * 4) / 4;
        const fill =
          level > 0.95
            ? s.accent
            : mix(
                s.ground === 'dark' ? s.surface : s.ground === 'vivid' ? s.deep : '#ffffff',
                s.ground === 'vivid' ? '#ffffff' : s.tone,
                level,
              );
        return box(140 + column * cell, 540 - (rows * cell) / 2 + row * cell, cell - 14, cell - 14, 20, fill);
      }),
    );
  },
  sheet: (s, random) => {
    const widths = [120, 430, 320, 260, 330];
    let x = 230;
    const starts = widths.map((width) => {
      const at = x;
      x += width;
      return at;
    });
    return (
      panel(s, 190, 110, 1540, 1100, 40) +
      box(190, 110, 1540, 130, 40, s.inset) +
      starts.map((at, i) => words(at + 20, 162, (widths[i] ?? 100) * 0.5, 28, s.text)).join('') +
      repeat(7, (row) => {
        const y = 240 + row * 132;
        return (
          rule(190, y, 1730, y, s.line, 3) +
          box(starts[0] ?? 0, y + 42, 50, 50, 14, row === 2 ? s.tone : s.line) +
          disc((starts[1] ?? 0) + 50, y + 66, 36, seriesOf(s)[row % 5] ?? s.tone) +
          words((starts[1] ?? 0) + 108, y + 52, 160 + random() * 120, 28, s.text) +
          words((starts[2] ?? 0) + 20, y + 52, 130 + random() * 110, 28, s.textSoft) +
          box(
            (starts[3] ?? 0) + 20,
            y + 38,
            150,
            56,
            28,
            mix(seriesOf(s)[(row * 2) % 3] ?? s.tone, s.surface, 0.68),
          ) +
          words((starts[3] ?? 0) + 52, y + 56, 86, 20, seriesOf(s)[(row * 2) % 3] ?? s.tone) +
          words((starts[4] ?? 0) + 20, y + 56, 250, 20, s.line) +
          words((starts[4] ?? 0) + 20, y + 56, 60 + random() * 180, 20, s.tone)
        );
      }) +
      box((starts[1] ?? 0) - 4, 504, 430, 132, 8, 'none', `stroke="${s.accent}" stroke-width="10"`) +
      cursor(1010, 600, 96, '#ffffff', '#22222a')
    );
  },
  map: (s, random) => {
    const road = (d: string, width: number): string =>
      stroke(d, s.ground === 'dark' ? s.line : '#ffffff', width);
    const land = s.ground === 'dark' ? s.surface : mix(s.mist, s.bright, 0.5);
    return (
      box(0, 0, 1920, 1080, 0, land) +
      shape(
        'M0 760C360 640 560 900 900 820S1500 560 1920 700V1080H0Z',
        s.ground === 'dark' ? s.deep : mix(s.bright, s.main, 0.35),
      ) +
      repeat(14, (i) =>
        box(
          (i % 5) * 400 + random() * 120 - 40,
          Math.floor(i / 5) * 230 + random() * 60 + 10,
          150 + random() * 110,
          110 + random() * 60,
          26,
          i % 4 === 0 ? mix(s.pop, land, 0.45) : mix(land, s.main, 0.12),
        ),
      ) +
      road('M-40 250C500 200 800 330 1960 140', 44) +
      road('M300 -40C340 400 620 560 520 1120', 34) +
      road('M1240 -40C1180 420 1420 620 1360 1120', 34) +
      road('M-40 560C500 480 900 640 1960 470', 26) +
      stroke('M430 560C600 400 780 420 960 560S1300 420 1400 330', s.main, 24, 'stroke-dasharray="2 46"') +
      [
        [430, 520, s.accent, 1],
        [1400, 300, s.main, 1.5],
      ]
        .map(
          ([x, y, fill, k]) =>
            `<g transform="translate(${x} ${y}) scale(${k})" filter="url(#lift)">${shape('M0 60C0 60 90 -20 90 -90A90 90 0 0 0 -90 -90C-90 -20 0 60 0 60Z', String(fill))}${disc(0, -90, 36, '#ffffff')}</g>`,
        )
        .join('')
    );
  },
  tiles: (s, random) => {
    const small = (x: number, y: number, i: number): string =>
      panel(s, x, y, 380, 250, 36) +
      words(x + 44, y + 48, 140, 24, s.textSoft) +
      words(x + 44, y + 98, 190, 54, s.text) +
      stroke(
        smooth(
          Array.from({ length: 7 }, () => y + 215 - random() * 60),
          x + 44,
          48,
        ),
        seriesOf(s)[i] ?? s.tone,
        10,
      );
    return (
      repeat(4, (i) => small(130 + i * 428, 110, i)) +
      panel(s, 130, 408, 1236, 560, 40) +
      shape(
        `${smooth([820, 700, 760, 600, 640, 520, 560], 190, 186)}V908H190Z`,
        mix(s.tone, s.surface, 0.72),
      ) +
      stroke(smooth([820, 700, 760, 600, 640, 520, 560], 190, 186), s.tone, 14) +
      panel(s, 1414, 408, 380, 560, 40, s.tone) +
      arc(1604, 640, 110, 0, 0.999, mix(s.tone, '#000000', 0.2), 46) +
      arc(1604, 640, 110, 0, 0.68, '#ffffff', 46, 'round') +
      words(1514, 850, 180, 34, '#ffffff')
    );
  },
} satisfies Record<string, CoverMotif>;

import { type CoverMotif, panel, seriesOf, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { drawPortrait, SKINS } from './portrait.ts';
import { between, box, cursor, disc, group, num, type Random, repeat, shape } from './shape.ts';

/** A small invented landscape, for places where a photograph would be. */
function scene(
  random: Random,
  x: number,
  y: number,
  w: number,
  h: number,
  hues: readonly string[],
  id: string,
): string {
  const start = between(random, 0, hues.length - 1);
  const hue = (i: number): string => hues[(start + i) % hues.length] ?? '#888888';
  return `<clipPath id="${id}">${box(x, y, w, h, 32, '#000000')}</clipPath><g clip-path="url(#${id})">${box(x, y, w, h, 0, mix(hue(0), '#ffffff', 0.45))}${disc(x + w * (0.3 + random() * 0.4), y + h * 0.36, Math.min(w, h) * 0.16, hue(1))}${shape(`M${num(x)} ${num(y + h * 0.7)}Q${num(x + w * 0.3)} ${num(y + h * 0.4)} ${num(x + w * 0.6)} ${num(y + h * 0.66)}T${num(x + w)} ${num(y + h * 0.5)}V${num(y + h)}H${num(x)}Z`, hue(2))}${shape(`M${num(x)} ${num(y + h * 0.9)}Q${num(x + w * 0.4)} ${num(y + h * 0.62)} ${num(x + w)} ${num(y + h * 0.84)}V${num(y + h)}H${num(x)}Z`, mix(hue(2), '#101020', 0.35))}</g>`;
}

export const CONTENT_COVERS = {
  profiles: (s, random) =>
    repeat(6, (i) => {
      const [x, y] = [140 + (i % 3) * 560, 90 + Math.floor(i / 3) * 470];
      const hue = seriesOf(s)[i % 5] ?? s.tone;
      return (
        panel(s, x, y, 520, 430, 44) +
        drawPortrait(x + 260, y + 152, 104, {
          back: mix(hue, '#ffffff', 0.5),
          skin: SKINS[(i * 2) % 5] ?? '#d99b70',
          hair: ['#2b211f', '#191720', '#8a4b2a'][i % 3] ?? s.ink,
          clothes: mix(hue, s.ink, 0.25),
          style: i * 3 + (i > 2 ? 1 : 0),
          id: `person${i}`,
        }) +
        words(x + 130, y + 292, 260 - random() * 60, 32, s.text) +
        words(x + 170, y + 348, 180, 24, s.textSoft)
      );
    }),
  portraits: (s) =>
    repeat(15, (i) => {
      const row = Math.floor(i / 5);
      const hue = seriesOf(s)[(i * 3 + row * 2) % 5] ?? s.tone;
      return drawPortrait(192 + (i % 5) * 384, 180 + row * 360, 158, {
        back: (i + row) % 4 === 1 ? '#ffffff' : mix(hue, '#ffffff', 0.42),
        skin: SKINS[(i * 3 + row) % 5] ?? '#d99b70',
        hair: ['#241d1c', '#6b3d22', s.deep, '#c98f3c', '#3a3540', '#a4482e'][(i * 2 + row) % 6] ?? s.ink,
        clothes: seriesOf(s)[(i + row * 3 + 1) % 5] ?? s.main,
        style: i * 3 + row * 2 + (i % 2),
        id: `person${i}`,
      });
    }),
  gallery: (s, random) => {
    const tall = [
      [430, 560],
      [600, 390],
      [380, 610],
      [540, 450],
    ];
    const hues = [s.main, s.accent, s.bright, s.pop, s.deep];
    return tall
      .map((heights, column) => {
        const x = 80 + column * 445;
        return heights
          .map((h, row) =>
            scene(random, x, 40 + row * ((heights[0] ?? 0) + 28), 420, h, hues, `photo${column}${row}`),
          )
          .join('');
      })
      .join('');
  },
  matrix: (s, random) => {
    const cell = 36;
    const corner = (x: number, y: number): string =>
      box(x, y, cell * 7, cell * 7, 54, s.text) +
      box(x + cell, y + cell, cell * 5, cell * 5, 34, s.surface) +
      box(x + cell * 2, y + cell * 2, cell * 3, cell * 3, 22, s.accent);
    const inCorner = (c: number, r: number): boolean =>
      (c < 8 && r < 8) || (c > 12 && r < 8) || (c < 8 && r > 12);
    const dots = repeat(441, (i) => {
      const [c, r] = [i % 21, Math.floor(i / 21)];
      return !inCorner(c, r) && random() < 0.5
        ? box(
            582 + c * cell + 2,
            162 + r * cell + 2,
            cell - 4,
            cell - 4,
            12,
            random() < 0.18 ? s.tone : s.text,
          )
        : '';
    });
    return (
      panel(s, 500, 80, 920, 920, 72) +
      dots +
      corner(582, 162) +
      corner(582 + cell * 14, 162) +
      corner(582, 162 + cell * 14) +
      repeat(
        4,
        (i) =>
          panel(s, i < 2 ? 150 : 1550, 190 + (i % 2) * 400, 220, 300, 36) +
          box(i < 2 ? 190 : 1590, 230 + (i % 2) * 400, 140, 140, 24, seriesOf(s)[i] ?? s.tone) +
          words(i < 2 ? 190 : 1590, 410 + (i % 2) * 400, 110, 24, s.textSoft),
      )
    );
  },
  pattern: (s, _random, density) => {
    const size = 270 - density * 30;
    const fills = [s.main, s.accent, s.pop, s.bright, s.deep, mix(s.mist, '#ffffff', 0.4)];
    return repeat(Math.ceil(1080 / size), (row) =>
      repeat(Math.ceil(1920 / size), (column) => {
        const turn = ((row * 3 + column * 5 + row * column) % 4) * 90;
        const [a, b] = [fills[(row * 2 + column) % 6] ?? s.main, fills[(row + column * 3 + 3) % 6] ?? s.deep];
        const leaf =
          (row + column) % 3 === 0
            ? disc(0, 0, size / 2, b)
            : (row + column) % 3 === 1
              ? shape(
                  `M${-size / 2} ${-size / 2}A${size} ${size} 0 0 1 ${size / 2} ${size / 2}H${-size / 2}Z`,
                  b,
                )
              : shape(
                  `M${-size / 2} ${-size / 2}A${size / 2} ${size / 2} 0 0 1 ${-size / 2} ${size / 2}ZM0 ${-size / 2}A${size / 2} ${size / 2} 0 0 1 0 ${size / 2}Z`,
                  b,
                );
        return group(
          `translate(${column * size + size / 2} ${row * size + size / 2}) rotate(${turn})`,
          box(-size / 2, -size / 2, size + 1, size + 1, 0, a === b ? s.ink : a) + leaf,
        );
      }),
    );
  },
  notes: (s, random) =>
    repeat(8, (i) => {
      const [x, y] = [170 + (i % 4) * 410, 110 + Math.floor(i / 4) * 450];
      const hue = mix([s.accent, s.bright, s.pop, '#ffe27a'][(i * 3) % 4] ?? s.bright, '#ffffff', 0.3);
      return group(
        `rotate(${num((random() - 0.5) * 9)} ${x + 180} ${y + 190})`,
        panel(s, x, y, 360, 380, 18, hue) +
          words(x + 44, y + 60, 210, 30, '#2a2630') +
          repeat(3, (k) =>
            words(x + 44, y + 130 + k * 52, 270 - k * 60 * random(), 20, mix(hue, '#2a2630', 0.4)),
          ) +
          disc(x + 296, y + 320, 26, s.ink, 'opacity="0.75"'),
      );
    }) + cursor(1050, 560, 110, s.main, '#ffffff'),
} satisfies Record<string, CoverMotif>;

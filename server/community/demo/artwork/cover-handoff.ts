import { type CoverMotif, panel, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { box, diamond, disc, repeat, shape, stroke } from './shape.ts';

export const HANDOFF_COVERS = {
  flow: (s) => {
    const link = (d: string): string => stroke(d, s.ground === 'vivid' ? '#ffffff' : s.tone, 12);
    const screen = (x: number, y: number, hue: string): string =>
      panel(s, x, y, 290, 400, 40) +
      box(x + 32, y + 32, 226, 150, 24, hue) +
      words(x + 32, y + 220, 180, 26, s.text) +
      words(x + 32, y + 268, 226, 20, s.textSoft) +
      words(x + 32, y + 306, 150, 20, s.textSoft) +
      disc(x + 290, y + 200, 20, '#ffffff', `stroke="${s.main}" stroke-width="9"`);
    return (
      link('M420 540H640') +
      link('M930 440C1080 440 1080 280 1180 280H1390') +
      link('M930 620C1080 620 1080 800 1180 800H1390') +
      screen(130, 340, s.tone) +
      diamond(780, 540, 190, s.accent, 'filter="url(#lift)"') +
      words(710, 520, 140, 36, '#ffffff') +
      screen(1390, 80, s.pop) +
      screen(1390, 600, s.bright)
    );
  },
  code: (s, random) => {
    const hues = [s.bright, s.accent, s.pop, '#8d8da3', mix(s.main, '#ffffff', 0.3)];
    const row = (y: number, indent: number): string => {
      let x = 330 + indent * 70;
      return repeat(2 + Math.floor(random() * 3), () => {
        const w = 70 + random() * 170;
        const drawn = words(x, y, w, 28, hues[Math.floor(random() * 5)] ?? s.bright);
        x += w + 26;
        return x > 1180 ? '' : drawn;
      });
    };
    return (
      panel(s, 160, 100, 1140, 880, 40, '#14141c') +
      repeat(3, (i) => disc(226 + i * 50, 164, 16, ['#ff6259', '#ffbf2f', '#29ce42'][i] ?? '#ffffff')) +
      repeat(
        10,
        (i) =>
          words(220, 246 + i * 70, 44, 24, '#3b3b4b') +
          row(244 + i * 70, [0, 1, 2, 2, 3, 2, 1, 1, 2, 0][i] ?? 0),
      ) +
      panel(s, 1130, 380, 640, 470, 48) +
      disc(1240, 490, 58, s.tone) +
      words(1330, 456, 300, 30, s.text) +
      words(1330, 508, 200, 24, s.textSoft) +
      words(1182, 600, 530, 24, s.textSoft) +
      words(1182, 648, 430, 24, s.textSoft) +
      box(1182, 726, 250, 80, 40, s.tone) +
      box(1456, 726, 180, 80, 40, 'none', `stroke="${s.line}" stroke-width="6"`)
    );
  },
  tokens: (s) => {
    const targets = [160, 440, 720];
    return (
      targets
        .map((y) =>
          stroke(
            `M760 540C1000 540 960 ${y + 100} 1230 ${y + 100}`,
            s.ground === 'vivid' ? '#ffffff' : s.tone,
            10,
          ),
        )
        .join('') +
      panel(s, 160, 190, 620, 700, 48) +
      repeat(
        5,
        (i) =>
          disc(256, 290 + i * 124, 40, [s.main, s.accent, s.pop, s.bright, s.deep][i] ?? s.main) +
          words(330, 266 + i * 124, 250 - i * 18, 26, s.text) +
          words(330, 308 + i * 124, 160 + i * 20, 20, s.textSoft),
      ) +
      disc(780, 540, 30, '#ffffff', `stroke="${s.main}" stroke-width="12"`) +
      targets
        .map(
          (y, i) =>
            panel(s, 1230, y, 530, 210, 40, i === 1 ? s.accent : s.surface) +
            stroke(
              `M1310 ${y + 70}L1275 ${y + 105}L1310 ${y + 140}M1370 ${y + 70}L1405 ${y + 105}L1370 ${y + 140}`,
              i === 1 ? '#ffffff' : s.tone,
              14,
            ) +
            words(1460, y + 66, 220, 28, i === 1 ? '#ffffff' : s.text) +
            words(1460, y + 118, 150, 22, i === 1 ? mix(s.accent, '#ffffff', 0.6) : s.textSoft),
        )
        .join('')
    );
  },
  strings: (s) => {
    const bubble = (x: number, y: number, w: number, fill: string, ink: string): string =>
      box(x, y, w, 190, 60, fill, 'filter="url(#lift)"') +
      shape(`M${x + 90} ${y + 180}V${y + 250}L${x + 170} ${y + 180}Z`, fill) +
      words(x + 70, y + 62, w - 200, 26, ink) +
      words(x + 70, y + 108, w - 260, 22, mix(fill, ink, 0.45));
    return (
      bubble(150, 110, 760, s.surface, s.text) +
      bubble(1000, 200, 620, s.accent, '#ffffff') +
      bubble(300, 440, 540, s.tone, '#ffffff') +
      bubble(940, 520, 830, s.surface, s.text) +
      bubble(180, 770, 640, s.pop, s.ink) +
      bubble(1080, 830, 520, s.bright, s.ink)
    );
  },
} satisfies Record<string, CoverMotif>;

import { type CoverMotif, panel, seriesOf, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { arc, box, diamond, disc, group, num, repeat, ring, rule, shape, stroke } from './shape.ts';

export const MOTION_COVERS = {
  easing: (s) =>
    panel(s, 190, 110, 900, 860, 48) +
    repeat(
      5,
      (i) =>
        rule(280 + i * 180, 190, 280 + i * 180, 890, s.line, 3) +
        rule(280, 190 + i * 175, 1000, 190 + i * 175, s.line, 3),
    ) +
    stroke('M280 890L640 890M1000 190L560 190', s.accent, 8) +
    stroke('M280 890C640 890 560 190 1000 190', s.tone, 24) +
    [
      [640, 890],
      [560, 190],
    ]
      .map(([x = 0, y = 0]) => disc(x, y, 30, s.accent))
      .join('') +
    [
      [280, 890],
      [1000, 190],
    ]
      .map(([x = 0, y = 0]) => disc(x, y, 26, s.surface, `stroke="${s.tone}" stroke-width="12"`))
      .join('') +
    repeat(7, (i) =>
      disc(
        1240 + i * 78 + (i * i) / 3,
        360,
        62,
        s.ground === 'vivid' ? '#ffffff' : s.tone,
        `opacity="${num(0.1 + i * 0.15)}"`,
      ),
    ) +
    repeat(7, (i) =>
      box(
        1190 + 540 * (1 - (1 - i / 6) ** 2.4) - 60,
        640,
        120,
        120,
        34,
        s.accent,
        `opacity="${num(0.1 + i * 0.15)}"`,
      ),
    ),
  timeline: (s, random, density) =>
    panel(s, 110, 130, 1700, 820, 40) +
    box(110, 130, 430, 820, 40, s.inset) +
    repeat(21, (i) => rule(600 + i * 58, 190, 600 + i * 58, i % 5 ? 214 : 236, s.textSoft, 4)) +
    repeat(4 + density, (row) => {
      const y = 310 + row * (600 / (4 + density));
      const from = 620 + random() * 220;
      const to = from + 300 + random() * 480;
      const fill = seriesOf(s)[row % 5] ?? s.tone;
      return (
        disc(176, y, 22, fill) +
        words(220, y - 12, 140 + random() * 120, 24, s.textSoft) +
        box(from, y - 26, to - from, 52, 26, mix(fill, s.surface, 0.62)) +
        diamond(from, y, 32, fill) +
        diamond(to, y, 32, fill) +
        diamond((from + to) / 2, y, 22, fill)
      );
    }) +
    rule(1180, 180, 1180, 950, s.accent, 8) +
    shape('M1146 160H1214V206L1180 244L1146 206Z', s.accent),
  frames: (s) => {
    const jump = (i: number): [number, number] => [240 + i * 240, 780 - Math.sin((i / 6) * Math.PI) * 540];
    return (
      rule(80, 892, 1840, 892, s.overSoft, 8) +
      stroke('M240 780C560 20 1360 20 1680 780', s.over, 5, 'stroke-dasharray="4 24" opacity="0.6"') +
      repeat(7, (i) => {
        const [x, y] = jump(i);
        const squash = i === 0 || i === 6 ? 0.86 : 1;
        const strong = i === 4;
        return group(
          `translate(${num(x)} ${num(y)}) rotate(${(i - 3) * 11}) scale(${num(1 / squash)} ${squash})`,
          box(
            -105,
            -105,
            210,
            210,
            64,
            strong ? s.accent : s.ground === 'vivid' ? '#ffffff' : s.tone,
            `opacity="${strong ? 1 : num(0.2 + i * 0.07)}"`,
          ) +
            (strong
              ? disc(-34, -16, 17, '#ffffff') +
                disc(34, -16, 17, '#ffffff') +
                stroke('M-26 34Q0 60 26 34', '#ffffff', 13)
              : ''),
        );
      })
    );
  },
  loaders: (s) => {
    const tile = (i: number, content: string): string =>
      panel(
        s,
        160 + (i % 3) * 550,
        110 + Math.floor(i / 3) * 450,
        500,
        410,
        52,
        i === 4 ? s.tone : s.surface,
      ) + group(`translate(${410 + (i % 3) * 550} ${315 + Math.floor(i / 3) * 450})`, content);
    return (
      tile(
        0,
        repeat(12, (i) =>
          group(`rotate(${i * 30})`, box(-13, -112, 26, 66, 13, s.tone, `opacity="${num(0.12 + i * 0.08)}"`)),
        ),
      ) +
      tile(1, ring(0, 0, 94, s.line, 30) + arc(0, 0, 94, 0.05, 0.38, s.accent, 30, 'round')) +
      tile(
        2,
        repeat(3, (i) => disc(-100 + i * 100, [20, -30, 0][i] ?? 0, 36, seriesOf(s)[i] ?? s.tone)),
      ) +
      tile(
        3,
        repeat(5, (i) =>
          box(
            -130 + i * 58,
            -([60, 110, 80, 130, 50][i] ?? 50),
            34,
            ([60, 110, 80, 130, 50][i] ?? 50) * 2,
            17,
            i === 3 ? s.accent : s.tone,
          ),
        ),
      ) +
      tile(
        4,
        box(-150, -20, 300, 40, 20, mix(s.tone, '#000000', 0.25)) + box(-150, -20, 190, 40, 20, '#ffffff'),
      ) +
      tile(
        5,
        repeat(9, (i) =>
          box(
            -110 + (i % 3) * 78,
            -110 + Math.floor(i / 3) * 78,
            62,
            62,
            18,
            s.pop,
            `opacity="${num(0.2 + ((i * 4) % 9) * 0.1)}"`,
          ),
        ),
      )
    );
  },
  parallax: (s, random) => {
    const ridge = (base: number, high: number, fill: string): string => {
      const peaks = Array.from(
        { length: 7 },
        (_, i) =>
          `L${num(i * 200 + 100)} ${num(base - high * (0.35 + random() * 0.65))}L${num(i * 200 + 200)} ${num(base - high * 0.25 * random())}`,
      ).join('');
      return shape(`M0 1080V${base}${peaks}V1080Z`, fill, 'stroke-linejoin="round"');
    };
    return `${panel(s, 270, 80, 1380, 1100, 48, mix(s.bright, '#ffffff', 0.5))}<g clip-path="url(#page)"><g transform="translate(270 0)">${disc(930, 330, 130, s.accent)}${ridge(620, 300, mix(s.bright, s.main, 0.3))}${ridge(780, 260, s.main)}${ridge(930, 240, s.deep)}${ridge(1060, 180, s.ink)}</g></g>${words(1730, 180, 22, 720, s.overSoft)}${words(1730, 360, 22, 210, s.accent)}${stroke('M130 470L170 430L210 470M130 620L170 660L210 620', s.over, 14)}`;
  },
} satisfies Record<string, CoverMotif>;

import { type CoverMotif, panel, seriesOf, words } from './cover-kind.ts';
import { drawGlyph, GLYPHS, type GlyphName } from './icon.ts';
import { mix } from './palette.ts';
import { box, disc, group, repeat, ring, rule, shape, stroke } from './shape.ts';

export const INTERFACE_COVERS = {
  glyphs: (s, _random, density) => {
    const names: GlyphName[] = [
      'anchor',
      'picture',
      'compass',
      'note',
      'flag',
      'clock',
      'tag',
      'pin',
      'cube',
      'feather',
      'speech',
      'globe',
      'moon',
      'layers',
      'cup',
      'eye',
      'lens',
      'path',
    ];
    return repeat(18, (i) => {
      const [x, y] = [90 + (i % 6) * 296, 70 + Math.floor(i / 6) * 320];
      const hot = i === 3 + density * 2;
      const name = names[(i + density * 5) % names.length] ?? 'anchor';
      const ink = hot
        ? { solid: '#ffffff', tint: mix(s.accent, '#ffffff', 0.6), cut: s.accent }
        : { solid: s.text, tint: s.tone, cut: s.surface };
      return (
        panel(s, x, y, 260, 290, 48, hot ? s.accent : s.surface) +
        drawGlyph(GLYPHS[name], x + 5, y + 20, 250, ink)
      );
    });
  },
  keylines: (s, _random, density) => {
    const glyph = [GLYPHS.compass, GLYPHS.blocks, GLYPHS.pin][density - 1] ?? GLYPHS.compass;
    const guide = s.ground === 'vivid' ? '#ffffff' : s.tone;
    return (
      repeat(
        17,
        (i) =>
          rule(480 + i * 60, 60, 480 + i * 60, 1020, s.overSoft, 2) +
          rule(480, 60 + i * 60, 1440, 60 + i * 60, s.overSoft, 2),
      ) +
      drawGlyph(glyph, 320, -100, 1280, { solid: s.over, tint: s.accent, cut: s.backFrom }) +
      [
        ring(960, 540, 400, guide, 4),
        ring(960, 540, 250, guide, 4),
        box(610, 190, 700, 700, 60, 'none', `stroke="${guide}" stroke-width="4"`),
        rule(480, 60, 1440, 1020, guide, 3),
        rule(1440, 60, 480, 1020, guide, 3),
      ]
        .map((part) => group('translate(0 0)', part, 'opacity="0.75"'))
        .join('') +
      repeat(
        5,
        (i) =>
          box(120, 120 + i * 180, 130, 130, 34, s.surface) +
          drawGlyph(glyph, 120 + 5 + i * 6, 125 + i * 180 + i * 6, 120 - i * 12, {
            solid: s.text,
            tint: s.tone,
            cut: s.surface,
          }),
      )
    );
  },
  focus: (s) => {
    const stops: [number, number, number, number][] = [
      [230, 150, 300, 84],
      [1080, 150, 220, 84],
      [1340, 150, 320, 84],
      [230, 320, 860, 250],
      [1140, 320, 550, 250],
      [230, 640, 1460, 110],
      [230, 810, 340, 100],
    ];
    const centres = stops.map(([x, y, w, h]) => `${x + w / 2} ${y + h / 2}`);
    return (
      panel(s, 150, 80, 1620, 920, 44) +
      stops
        .map(
          ([x, y, w, h], i) =>
            box(x, y, w, h, 24, i === 6 ? s.tone : s.inset) +
            box(
              x - 8,
              y - 8,
              w + 16,
              h + 16,
              32,
              'none',
              `stroke="${i === 4 ? s.accent : s.tone}" stroke-width="${i === 4 ? 12 : 5}" ${i === 4 ? '' : 'stroke-dasharray="18 14"'}`,
            ),
        )
        .join('') +
      stroke(`M${centres.join('L')}`, s.accent, 7, 'stroke-dasharray="3 20"') +
      stops
        .map(
          ([x, y, w, h], i) =>
            disc(x + w / 2, y + h / 2, 40, s.accent) +
            repeat(Math.min(3, i + 1), (k) =>
              box(x + w / 2 - 16 + k * 13 - Math.min(3, i + 1) * 4 + 8, y + h / 2 - 17, 8, 34, 4, '#ffffff'),
            ),
        )
        .join('')
    );
  },
  redline: (s) => {
    const tick = (x: number, y: number, w: number): string =>
      rule(x, y, x + w, y, s.accent, 6) +
      rule(x, y - 18, x, y + 18, s.accent, 6) +
      rule(x + w, y - 18, x + w, y + 18, s.accent, 6);
    const stick = (x: number, y: number, h: number): string =>
      rule(x, y, x, y + h, s.accent, 6) +
      rule(x - 18, y, x + 18, y, s.accent, 6) +
      rule(x - 18, y + h, x + 18, y + h, s.accent, 6);
    const label = (x: number, y: number): string =>
      box(x - 56, y - 30, 112, 60, 16, s.accent) + words(x - 30, y - 9, 60, 18, '#ffffff');
    return (
      panel(s, 560, 150, 800, 780, 48) +
      box(640, 230, 640, 330, 32, s.tone) +
      disc(1140, 340, 60, s.pop) +
      shape(
        'M640 500L800 360L930 470L1010 410L1280 540V528A32 32 0 0 1 1248 560H672A32 32 0 0 1 640 528Z',
        mix(s.tone, s.deep, 0.6),
      ) +
      words(640, 630, 420, 46, s.text) +
      words(640, 710, 560, 26, s.textSoft) +
      box(640, 790, 230, 84, 42, s.text) +
      tick(560, 80, 800) +
      label(960, 80) +
      stick(470, 150, 780) +
      label(470, 540) +
      stick(1440, 230, 330) +
      label(1440, 395) +
      tick(560, 395, 80) +
      stick(1440, 560, 70) +
      label(1480, 690)
    );
  },
  layers: (s, random) =>
    panel(s, 180, 70, 800, 1120, 44) +
    repeat(8, (i) => {
      const depth = [0, 1, 2, 2, 1, 0, 1, 1][i] ?? 0;
      const y = 130 + i * 118;
      const on = i === 3;
      return (
        (on ? box(208, y - 14, 744, 104, 24, s.tone) : '') +
        box(250 + depth * 66, y + 14, 48, 48, 12, on ? '#ffffff' : (seriesOf(s)[depth] ?? s.tone)) +
        words(326 + depth * 66, y + 24, 180 + random() * 180, 28, on ? '#ffffff' : s.text)
      );
    }) +
    repeat(4, (i) =>
      group(
        `translate(${1130 + i * 90} ${190 + i * 120})`,
        panel(s, 0, 0, 480, 340, 40, [s.bright, s.pop, s.accent, s.surface][i] ?? s.surface),
      ),
    ) +
    words(1450, 620, 220, 36, s.text) +
    words(1450, 690, 300, 26, s.textSoft) +
    words(1450, 740, 240, 26, s.textSoft),
  arrange: (s) => {
    const loose: [number, number, number][] = [
      [150, 160, -9],
      [430, 90, 6],
      [260, 440, 12],
      [560, 400, -7],
      [120, 720, 5],
      [470, 740, -12],
    ];
    return (
      loose
        .map(([x, y, turn], i) =>
          group(
            `rotate(${turn} ${x + 110} ${y + 100})`,
            panel(s, x, y, 230, 210, 32, seriesOf(s)[i % 5] ?? s.tone),
            'opacity="0.75"',
          ),
        )
        .join('') +
      stroke('M850 540H1000M950 486L1004 540L950 594', s.over, 18) +
      repeat(6, (i) =>
        panel(
          s,
          1110 + (i % 2) * 330,
          90 + Math.floor(i / 2) * 310,
          290,
          270,
          36,
          seriesOf(s)[i % 5] ?? s.tone,
        ),
      ) +
      [1110, 1400, 1440, 1730]
        .map((x) => rule(x, 30, x, 1050, s.over, 3, 'stroke-dasharray="10 12" opacity="0.65"'))
        .join('')
    );
  },
} satisfies Record<string, CoverMotif>;

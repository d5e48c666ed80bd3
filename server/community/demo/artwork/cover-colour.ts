import { type CoverMotif, panel, words } from './cover-kind.ts';
import { mix } from './palette.ts';
import { box, cursor, disc, group, num, repeat, ring, shape, sparkle, stroke } from './shape.ts';

export const COLOUR_COVERS = {
  swatches: (s, _random, density) => {
    const cards = [
      s.deep,
      s.main,
      s.bright,
      s.accent,
      s.pop,
      mix(s.accent, '#ffffff', 0.55),
      mix(s.pop, s.ink, 0.45),
    ];
    const count = 4 + density;
    return repeat(count, (i) =>
      group(
        `rotate(${num((i - (count - 1) / 2) * 15)} 960 1340)`,
        panel(s, 780, 170, 360, 860, 36, '#ffffff') +
          box(804, 194, 312, 560, 22, cards[i] ?? s.main) +
          words(812, 800, 190, 30, '#25252b') +
          words(812, 852, 120, 22, '#c4c4cc'),
      ),
    );
  },
  ramp: (s, random, density) => {
    const rows = 2 + density;
    const hues = [s.main, s.accent, s.pop, s.deep, s.bright];
    const size = Math.floor(820 / rows) - 26;
    const chosen = Math.floor(random() * 4) + 3;
    return repeat(rows, (row) => {
      const y = 130 + row * (size + 26);
      return repeat(9, (i) => {
        const tone =
          i < 4
            ? mix(hues[row] ?? s.main, '#ffffff', 0.84 - i * 0.21)
            : mix(hues[row] ?? s.main, '#0b0b12', (i - 4) * 0.19);
        const x = 150 + i * 182;
        const lifted = row === 1 && i === chosen;
        return lifted
          ? panel(s, x - 22, y - 22, 206, size + 44, 40, '#ffffff') +
              box(x - 8, y - 8, 178, size + 16, 30, tone)
          : box(x, y, 162, size, 28, tone);
      });
    });
  },
  mesh: (s, random) => {
    const spot = (x: number, y: number, r: number, fill: string): string =>
      disc(x, y, r, fill, 'filter="url(#melt)"');
    const points = [
      [250, 190],
      [900 + random() * 160, 300],
      [1610, 210],
      [330, 800],
      [1010, 700 + random() * 120],
      [1640, 850],
    ];
    const spine = points
      .map(([x = 0, y = 0]) => ring(x, y, 24, '#ffffff', 9) + disc(x, y, 10, '#ffffff'))
      .join('');
    return `<g clip-path="url(#frame)">${box(130, 100, 1660, 880, 56, s.main)}${spot(260, 180, 420, s.bright)}${spot(1060, 240, 400, s.pop)}${spot(1700, 240, 380, s.accent)}${spot(320, 900, 440, s.deep)}${spot(1040, 900, 330, mix(s.accent, '#ffffff', 0.4))}${spot(1640, 920, 400, s.main)}</g>${stroke('M250 190Q560 120 980 300T1610 210M330 800Q640 920 1010 760T1640 850M250 190Q190 480 330 800M980 300Q880 520 1010 760M1610 210Q1720 520 1640 850', '#ffffff', 4, 'opacity="0.65"')}${spine}`;
  },
  contrast: (s) => {
    const card = (x: number, back: string, front: string, quiet: string, good: boolean): string =>
      panel(s, x, 150, 700, 780, 56, back) +
      stroke(`M${x + 120} 560L${x + 270} 270L${x + 420} 560M${x + 176} 460H${x + 364}`, front, 54) +
      ring(x + 520, 490, 62, front, 46) +
      box(x + 572, 404, 44, 180, 14, front) +
      words(x + 90, 680, 520, 34, front) +
      words(x + 90, 746, 400, 34, quiet) +
      box(x + 90, 826, 170, 56, 28, good ? '#17a673' : '#e04848') +
      stroke(good ? `M${x + 156} 854l14 14l26 -28` : `M${x + 160} 840l30 28m0 -28l-30 28`, '#ffffff', 9);
    return (
      card(220, s.ink, s.bright, mix(s.ink, s.bright, 0.55), true) +
      card(
        1000,
        mix(s.mist, '#ffffff', 0.4),
        mix(s.bright, '#ffffff', 0.1),
        mix(s.bright, '#ffffff', 0.45),
        false,
      )
    );
  },
  vision: (s, random, density) => {
    const dots: string[] = [];
    const step = 66 - density * 4;
    for (let y = 70; y < 1040; y += step) {
      for (let x = 70; x < 1880; x += step) {
        const [px, py] = [x + random() * 16, y + random() * 16];
        const fromLeft = Math.hypot((px - 960) / 1.55, py - 540);
        const inEye = fromLeft < 330 && fromLeft > 190;
        const inPupil = fromLeft < 110;
        const hue = inPupil
          ? s.pop
          : inEye
            ? s.accent
            : mix(s.main, random() < 0.5 ? s.bright : s.deep, random() * 0.65);
        dots.push(disc(px, py, step * (0.24 + random() * 0.2), hue));
      }
    }
    return dots.join('');
  },
  recolour: (s) => {
    const poster = (x: number, back: string, hill: string, hill2: string, sun: string): string =>
      panel(s, x, 130, 640, 820, 48, back) +
      disc(x + 430, 370, 110, sun) +
      shape(
        `M${x} 700Q${x + 180} 500 ${x + 360} 640T${x + 640} 560V902A48 48 0 0 1 ${x + 592} 950H${x + 48}A48 48 0 0 1 ${x} 902Z`,
        hill,
      ) +
      shape(
        `M${x} 830Q${x + 220} 680 ${x + 420} 790T${x + 640} 740V902A48 48 0 0 1 ${x + 592} 950H${x + 48}A48 48 0 0 1 ${x} 902Z`,
        hill2,
      );
    return (
      poster(240, '#e5e5ea', '#b4b4be', '#85858f', '#f7f7f9') +
      poster(1040, mix(s.bright, '#ffffff', 0.35), s.main, s.deep, s.accent) +
      disc(960, 540, 74, '#ffffff', 'filter="url(#lift)"') +
      stroke('M930 540H988M966 514L992 540L966 566', s.main, 14)
    );
  },
  night: (s) => {
    const page = (day: boolean): string => {
      const [back, ink, soft, block] = day
        ? ['#ffffff', '#1c1c28', '#d9d9e2', mix(s.bright, '#ffffff', 0.3)]
        : ['#13131c', '#f4f4f8', '#3b3b4a', s.main];
      return (
        box(360, 150, 1200, 780, 48, back) +
        words(450, 240, 420, 54, ink) +
        words(450, 330, 620, 28, soft) +
        words(450, 380, 540, 28, soft) +
        repeat(3, (i) => box(450 + i * 350, 470, 310, 250, 32, i === 1 ? s.accent : block)) +
        repeat(3, (i) => words(450 + i * 350, 752, 220, 26, ink) + words(450 + i * 350, 800, 150, 22, soft)) +
        disc(1460, 262, 40, s.pop)
      );
    };
    return `${panel(s, 360, 150, 1200, 780, 48)}${page(true)}<g clip-path="url(#slant)">${page(false)}</g>${stroke('M1060 80L860 1000', s.main, 10)}${disc(960, 540, 66, '#ffffff', 'filter="url(#lift)"')}${shape('M972 506A36 36 0 1 0 996 554A30 30 0 0 1 972 506Z', s.deep)}`;
  },
  picker: (s, random) => {
    const pins = [
      [470, 330, s.accent],
      [860, 590, s.deep],
      [640, 720, s.pop],
    ] as const;
    return (
      panel(s, 170, 130, 980, 820, 44, mix(s.bright, '#ffffff', 0.45)) +
      `<g clip-path="url(#photo)">${disc(470, 350, 130, s.accent)}${shape('M170 700Q420 420 700 620T1150 480V950H170Z', s.main)}${shape('M170 860Q460 600 760 800T1150 700V950H170Z', s.deep)}${repeat(9, (i) => sparkle(230 + i * 105, 190 + random() * 120, 12 + random() * 10, '#ffffff'))}</g>` +
      pins
        .map(([x, y, fill]) => disc(x, y, 54, '#ffffff', 'filter="url(#lift)"') + disc(x, y, 40, fill))
        .join('') +
      repeat(
        5,
        (i) =>
          panel(s, 1250, 130 + i * 168, 500, 140, 30) +
          box(1274, 152 + i * 168, 96, 96, 24, [s.accent, s.main, s.deep, s.pop, s.bright][i] ?? s.main) +
          words(1404, 172 + i * 168, 220 - i * 14, 26, s.text) +
          words(1404, 216 + i * 168, 140, 20, s.textSoft),
      ) +
      cursor(880, 610, 84, '#ffffff', '#22222a')
    );
  },
} satisfies Record<string, CoverMotif>;

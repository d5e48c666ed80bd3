import { definitions } from './cover.ts';
import { words } from './cover-kind.ts';
import { type Ground, mix, type PaletteName, type Scheme, schemeOf } from './palette.ts';
import { arc, box, disc, group, num, type Random, randomFrom, repeat, ring, shape, stroke } from './shape.ts';

type WorkMotif = (scheme: Scheme, random: Random) => string;

const phone = (s: Scheme, x: number, y: number, turn: number, screen: string): string =>
  group(
    `translate(${x} ${y}) rotate(${turn})`,
    `${box(0, 0, 230, 470, 40, '#15151b', 'filter="url(#lift)"')}${box(10, 10, 210, 450, 31, s.surface)}${screen}`,
  );

export const WORKS = {
  /** A travel app on two phones. */
  app: (s) =>
    phone(
      s,
      170,
      80,
      -6,
      box(10, 10, 210, 230, 31, s.main) +
        shape('M10 190L80 110L130 160L170 120L220 180V240H10Z', s.deep) +
        disc(160, 76, 26, s.accent) +
        words(30, 268, 120, 18, s.text) +
        words(30, 298, 80, 12, s.textSoft) +
        repeat(2, (i) => box(30 + i * 94, 334, 82, 82, 20, i ? s.pop : s.bright)),
    ) +
    phone(
      s,
      430,
      60,
      5,
      words(34, 44, 100, 20, s.text) +
        arc(115, 170, 62, 0, 0.999, s.line, 20) +
        arc(115, 170, 62, 0, 0.7, s.accent, 20, 'round') +
        repeat(
          3,
          (i) =>
            box(30, 268 + i * 60, 44, 44, 14, [s.main, s.pop, s.bright][i] ?? s.main) +
            words(88, 276 + i * 60, 96, 12, s.text) +
            words(88, 296 + i * 60, 60, 9, s.textSoft),
        ),
    ),
  /** An exhibition poster of cut-paper forms. */
  poster: (s) =>
    box(190, 40, 420, 520, 6, mix(s.mist, '#ffffff', 0.3), 'filter="url(#lift)"') +
    shape('M190 300A210 210 0 0 1 400 90V300Z', s.main) +
    shape('M400 300A105 105 0 0 1 610 300Z', s.accent) +
    box(400, 300, 210, 105, 0, s.deep) +
    disc(295, 352, 52, s.pop) +
    disc(505, 165, 58, s.ink) +
    words(222, 450, 190, 24, s.ink) +
    words(222, 490, 120, 12, mix(s.ink, '#ffffff', 0.5)) +
    words(222, 512, 150, 12, mix(s.ink, '#ffffff', 0.5)),
  /** An illustrated valley at dusk. */
  valley: (s, random) =>
    disc(560, 220, 84, s.accent) +
    repeat(24, () => disc(random() * 800, random() * 220, 1.5 + random() * 2, '#ffffff', 'opacity="0.7"')) +
    repeat(5, (i) => {
      const y = 250 + i * 74;
      const sway = (random() - 0.5) * 220;
      const hill = mix(mix(s.main, s.bright, 0.45), s.ink, i * 0.21);
      const trees =
        i < 3
          ? ''
          : repeat(13, (k) => {
              const tall = 60 + random() * 50;
              const x = k * 66 + random() * 30;
              return shape(
                `M${num(x)} ${y + 60}l22 ${num(-tall - 46)}l22 ${num(tall + 46)}Z`,
                mix(hill, s.ink, 0.25),
              );
            });
      return (
        trees +
        shape(
          `M0 ${num(y + random() * 40)}C${num(160 + sway)} ${y - 80} ${num(280 + sway)} ${y + 60} ${num(430 + sway)} ${num(y - 10)}S${num(660 + sway / 3)} ${num(y - 70 + random() * 60)} 800 ${num(y + random() * 30)}V600H0Z`,
          hill,
        )
      );
    }),
  /** A brand on a card, a bag and a stamp. */
  brand: (s) =>
    box(90, 110, 330, 200, 20, s.surface, 'filter="url(#lift)"') +
    ring(180, 210, 40, s.main, 20) +
    box(210, 160, 18, 90, 4, s.main) +
    words(262, 186, 110, 16, s.text) +
    words(262, 216, 76, 11, s.textSoft) +
    group(
      'rotate(-8 270 430)',
      box(130, 350, 330, 190, 20, s.accent, 'filter="url(#lift)"') +
        words(170, 470, 140, 18, '#ffffff') +
        words(170, 502, 90, 12, '#ffffff'),
    ) +
    shape('M500 190H700L730 550H470Z', mix(s.main, s.deep, 0.35), 'filter="url(#lift)"') +
    stroke('M550 196C550 90 650 90 650 196', s.over, 10) +
    ring(590, 360, 54, s.bright, 28) +
    box(632, 296, 26, 122, 5, s.bright),
  /** The landing page of a shop for ceramics. */
  landing: (s) =>
    box(70, 60, 660, 620, 22, s.surface, 'filter="url(#lift)"') +
    words(110, 96, 70, 16, s.text) +
    repeat(3, (i) => words(470 + i * 76, 98, 52, 10, s.textSoft)) +
    words(110, 180, 240, 34, s.text) +
    words(110, 230, 190, 34, s.tone) +
    words(110, 292, 220, 11, s.textSoft) +
    words(110, 314, 180, 11, s.textSoft) +
    box(110, 350, 130, 46, 23, s.tone) +
    box(400, 150, 290, 290, 26, mix(s.bright, '#ffffff', 0.4)) +
    shape(
      'M500 240H590C600 300 640 330 640 380A40 40 0 0 1 600 420H490A40 40 0 0 1 450 380C450 330 490 300 500 240Z',
      s.main,
    ) +
    shape('M452 360C500 340 590 390 638 360A60 60 0 0 1 600 420H490A40 40 0 0 1 452 360Z', s.accent) +
    box(494, 222, 102, 22, 11, s.deep) +
    repeat(3, (i) => box(110 + i * 196, 470, 180, 160, 20, [s.bright, s.pop, s.accent][i] ?? s.bright)),
} satisfies Record<string, WorkMotif>;

export type WorkName = keyof typeof WORKS;

export interface WorkSpec {
  motif: WorkName;
  palette: PaletteName;
  ground: Ground;
  seed: number;
}

/** The 800 × 600 SVG of a featured work of the community. */
export function drawWork(spec: WorkSpec): string {
  const scheme = schemeOf(spec.palette, spec.ground);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="800" height="600" viewBox="0 0 800 600">${definitions(scheme)}${box(0, 0, 800, 600, 0, 'url(#back)')}${box(0, 0, 800, 600, 0, 'url(#glow)')}${WORKS[spec.motif](scheme, randomFrom(spec.seed))}</svg>`;
}

import { mix } from './palette.ts';
import { box, disc, shape, stroke } from './shape.ts';

export interface Portrait {
  back: string;
  skin: string;
  hair: string;
  clothes: string;
  /** 0 short, 1 long, 2 bun, 3 curls. */
  style: number;
  /** Unique within one drawing. */
  id: string;
}

export const SKINS = ['#f6d0b1', '#d99b70', '#a8683f', '#7a4a2e', '#f9dfca'];

/** Hair behind the head by style, in a field where the head has a radius of 40 around 0, -10. */
const BEHIND: readonly ((hair: string) => string)[] = [
  (hair) => disc(0, -20, 43, hair),
  (hair) => box(-47, -66, 94, 122, 46, hair),
  (hair) => disc(0, -20, 44, hair) + disc(0, -72, 20, hair),
  (hair) =>
    [-40, -22, 0, 22, 40].map((x, i) => disc(x, [-18, -50, -62, -50, -18][i] ?? 0, 24, hair)).join(''),
];

/** An invented person in a circle of the given radius. */
export function drawPortrait(x: number, y: number, radius: number, person: Portrait): string {
  const { back, skin, hair, clothes, id } = person;
  const behind = BEHIND[person.style % BEHIND.length]?.(hair) ?? '';
  const fringe =
    person.style === 3
      ? ''
      : shape('M-38 -18C-34 -58 34 -60 38 -18C22 -24 10 -40 4 -42C-4 -32 -22 -22 -38 -18Z', hair);
  return `<clipPath id="${id}">${disc(0, 0, 100, '#000000')}</clipPath><g transform="translate(${x} ${y}) scale(${radius / 100})"><g clip-path="url(#${id})">${disc(0, 0, 100, back)}${behind}${box(-15, 10, 30, 46, 12, mix(skin, '#3a1a0a', 0.16))}${box(-66, 48, 132, 90, 46, clothes)}${shape('M-20 48A20 18 0 0 0 20 48Z', skin)}${disc(0, -10, 39, skin)}${fringe}${disc(-14, -8, 3.6, '#2a1c18')}${disc(14, -8, 3.6, '#2a1c18')}${stroke('M-10 10Q0 18 10 10', '#2a1c18', 3.4)}</g></g>`;
}

import { createHash } from 'node:crypto';
import { clampChroma, converter, formatHex, type Oklch } from 'culori';
import sharp from 'sharp';

const WIDTH = 1280;
const HEIGHT = 720;
/** Pixels that an icon is looked at in for its colours, a side. */
const SAMPLE = 24;
/** Colours with less chroma than this are greys, which give no hue. */
const GREY = 0.035;

const toOklch = converter('oklch');

/**
 * A cover for a plugin that has none: its icon on shapes in the icon's own colours, always the same for the same icon and
 * key. It shows no name: that stands below it everywhere, in scripts for which a server has no typeface.
 * @param icon any picture that sharp reads, or null
 * @param key of the plugin: chooses the layout, and the colours where no icon does
 * @returns a PNG of 1280 × 720
 * @throws where the icon cannot be decoded
 */
export async function generateCover(icon: Uint8Array | null, key: string): Promise<Buffer> {
  const random = seededBytes(key);
  const hue = (icon && (await hueOf(icon))) ?? (random(0) / 256) * 360;
  const layout = LAYOUTS[random(1) % LAYOUTS.length] ?? LAYOUTS[0];
  const { ground, places } = layout(colorsOf(hue, random(2)), random);
  const icons = icon ? await Promise.all(places.map((place) => placed(icon, place))) : [];
  const grain = await sharp({
    create: {
      width: WIDTH,
      height: HEIGHT,
      channels: 3,
      noise: { type: 'gaussian', mean: 128, sigma: 7 },
      background: '#808080',
    },
  })
    .png()
    .toBuffer();
  const shadow = icon ? shadows(places) : '';
  return sharp(Buffer.from(svg(ground + shadow)))
    .composite([...icons, { input: grain, blend: 'soft-light' }])
    .removeAlpha()
    .png()
    .toBuffer();
}

type Colors = { deep: string; base: string; light: string; other: string; pale: string };
type Random = (place: number) => number;

/** Where an icon stands: its middle, its side and its angle in degrees; `faint` ones are the ground's. */
type Place = { x: number; y: number; side: number; angle: number; faint?: boolean };

type Layout = (colors: Colors, random: Random) => { ground: string; places: readonly Place[] };

/** Bytes that follow from the key alone. */
function seededBytes(key: string): Random {
  const digest = createHash('sha256').update(key).digest();
  return (place) => digest[place % digest.length] ?? 0;
}

/** The hue that most of the icon's colour has, in degrees; undefined for icons of greys. */
async function hueOf(icon: Uint8Array): Promise<number | undefined> {
  const { data } = await sharp(icon)
    .resize(SAMPLE, SAMPLE, { fit: 'fill' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer({ resolveWithObject: true });
  let [x, y, weight] = [0, 0, 0];
  for (let at = 0; at < data.length; at += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = data.subarray(at, at + 4);
    const { c, h } = toOklch({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
    if (h === undefined || c < GREY) continue;
    const force = c * alpha;
    x += force * Math.cos((h * Math.PI) / 180);
    y += force * Math.sin((h * Math.PI) / 180);
    weight += force;
  }
  return weight === 0 ? undefined : ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
}

function colorsOf(hue: number, choice: number): Colors {
  const turn = choice % 2 === 0 ? 42 : -42;
  // Yellows are mud when they are dark.
  const lift = 0.17 * Math.exp(-(((hue - 95) / 38) ** 2));
  const hex = (l: number, c: number, h: number): string =>
    formatHex(clampChroma({ mode: 'oklch', l, c, h: (h + 360) % 360 } satisfies Oklch, 'oklch'));
  return {
    deep: hex(0.33 + lift, 0.12, hue - 100 * lift),
    base: hex(0.56 + lift, 0.17, hue - 60 * lift),
    light: hex(0.78, 0.12, hue + turn / 2),
    other: hex(0.68 + lift / 2, 0.18, hue + (lift > 0.05 ? -42 : turn)),
    pale: hex(0.93, 0.045, hue),
  };
}

const svg = (content: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}">${content}</svg>`;

const gradient = (id: string, from: string, to: string): string =>
  `<linearGradient id="${id}" x1="0" y1="0" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/></linearGradient>`;

const glow = (id: string, color: string): string =>
  `<radialGradient id="${id}"><stop stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/></radialGradient>`;

/** Deep ground with two glows, the icon in the middle of rings. */
const rings: Layout = ({ deep, base, light, other }, random) => {
  const shift = (random(3) % 200) - 100;
  const circles = [240, 340, 450, 570].map(
    (radius, place) =>
      `<circle cx="640" cy="360" r="${radius}" fill="none" stroke="${light}" stroke-opacity="${0.34 - place * 0.07}" stroke-width="2"/>`,
  );
  return {
    ground: `<defs>${gradient('a', base, deep)}${glow('b', other)}${glow('c', light)}</defs>
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#a)"/>
      <circle cx="${1050 + shift}" cy="80" r="520" fill="url(#b)" opacity=".75"/>
      <circle cx="${180 - shift}" cy="690" r="460" fill="url(#c)" opacity=".5"/>${circles.join('')}`,
    places: [{ x: 640, y: 360, side: 268, angle: 0 }],
  };
};

/** Pale ground, the icon before large tilted blocks. */
const blocks: Layout = ({ base, light, other, pale }, random) => {
  const tilt = 10 + (random(3) % 14);
  const block = (x: number, y: number, side: number, fill: string, angle: number): string =>
    `<rect x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}" rx="${side * 0.22}" fill="${fill}" transform="rotate(${angle} ${x} ${y})"/>`;
  return {
    ground: `<defs>${gradient('a', pale, '#ffffff')}${gradient('b', light, base)}${gradient('c', other, light)}</defs>
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#a)"/>
      ${block(250, 560, 420, 'url(#b)', -tilt)}${block(1060, 170, 460, 'url(#c)', tilt)}
      ${block(980, 640, 200, base, tilt * 2)}${block(330, 120, 150, other, tilt)}`,
    places: [{ x: 640, y: 360, side: 300, angle: 0 }],
  };
};

/** The icon at the left, and once more, faint and as large as the cover, at the right. */
const echo: Layout = ({ deep, base, other, light }, random) => {
  const angle = 8 + (random(3) % 12);
  return {
    ground: `<defs>${gradient('a', other, base)}${glow('b', light)}${glow('c', deep)}</defs>
      <rect width="${WIDTH}" height="${HEIGHT}" fill="url(#a)"/>
      <circle cx="1120" cy="640" r="560" fill="url(#c)" opacity=".7"/>
      <circle cx="260" cy="60" r="480" fill="url(#b)" opacity=".8"/>`,
    places: [
      { x: 960, y: 400, side: 560, angle, faint: true },
      { x: 400, y: 360, side: 272, angle: 0 },
    ],
  };
};

const LAYOUTS: readonly [Layout, ...Layout[]] = [rings, blocks, echo];

const RADIUS = 0.225;

/** Soft shadows below the icons that stand in front. */
function shadows(places: readonly Place[]): string {
  const front = places.filter(({ faint }) => !faint);
  const shapes = front.map(
    ({ x, y, side }) =>
      `<rect x="${x - side / 2}" y="${y - side / 2 + 22}" width="${side}" height="${side}" rx="${side * RADIUS}" filter="url(#s)" opacity=".34"/>`,
  );
  return `<defs><filter id="s" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="26"/></filter></defs>${shapes.join('')}`;
}

/** The icon with round corners, turned and in its place; what reaches over the edge of the cover is cut off. */
async function placed(icon: Uint8Array, { x, y, side, angle, faint = false }: Place) {
  const mask = `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}"><rect width="${side}" height="${side}" rx="${side * RADIUS}" fill-opacity="${faint ? 0.26 : 1}"/></svg>`;
  const shape = await sharp(icon)
    .resize(side, side, { fit: 'cover' })
    .ensureAlpha()
    .composite([{ input: Buffer.from(mask), blend: 'dest-in' }])
    .png()
    .toBuffer();
  const turned = await sharp(shape)
    .rotate(angle, { background: '#00000000' })
    .png()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = turned.info;
  const [left, top] = [Math.round(x - width / 2), Math.round(y - height / 2)];
  const cut = { left: Math.max(0, -left), top: Math.max(0, -top) };
  const input = await sharp(turned.data)
    .extract({
      ...cut,
      width: Math.min(width - cut.left, WIDTH - Math.max(0, left)),
      height: Math.min(height - cut.top, HEIGHT - Math.max(0, top)),
    })
    .png()
    .toBuffer();
  return { input, left: Math.max(0, left), top: Math.max(0, top) };
}

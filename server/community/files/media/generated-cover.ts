import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { clampChroma, converter, formatHex } from 'culori';
import type { FastifyBaseLogger, FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { repeatWhileListening } from '../../../http/repeat.ts';
import type { Db } from '../../schema.ts';
import type { FileStore } from './files.ts';
import { type Pictures, preparePicture } from './pictures.ts';
import { type CoverlessPlugin, insertPictures, readCoverless, setGeneratedCover } from './store.ts';

const [WIDTH, HEIGHT] = [1280, 720];
/** Width and height, in pixels, at which the colours of an icon are sampled. */
const SAMPLE = 24;
/** Colours with less chroma are greys, whose hue is arbitrary. */
const GREY = 0.035;
/** Milliseconds between two searches for plugins without a cover, and the plugins of each. */
const INTERVAL = 3000;
const BATCH = 4;
/** Milliseconds until a plugin whose cover has failed is tried again; it doubles each time. */
const RETRY = 60 * 1000;
/** Milliseconds: the longest time until that, and the longest pause while all fail. */
const WAIT_MAX = 10 * 60 * 1000;

type Dependencies = {
  db: Db;
  files: FileStore;
  pictures: Pictures;
  /** Milliseconds since 1970. */
  now: () => number;
  /** Draws a cover; `generateCover` by default. */
  draw?: typeof generateCover;
};
type Log = Pick<FastifyBaseLogger, 'info' | 'warn'>;

/** Generates missing covers while the app listens, without a pause while there are more. */
export function fillCoversRegularly(app: FastifyInstance, dependencies: Dependencies, log: Log): void {
  const fill = createCoverFilling(dependencies, log);
  repeatWhileListening(app, {
    every: INTERVAL,
    first: INTERVAL,
    longest: WAIT_MAX,
    log,
    failed: 'plugins without a cover could not be read',
    recovered: 'plugins without a cover are read again',
    run: async () => (await fill()).wait,
  });
}

type Filled = {
  made: number;
  /** Milliseconds until the next search. */
  wait: number;
};

/**
 * Generates covers for a few plugins that have none, and again after their icon has changed; an icon that cannot be decoded
 * is ignored. A plugin whose cover fails is set aside for a while, so that the others get their turn. While all fail, as with
 * a full store, the pauses double. Only the first failure is logged until a cover succeeds.
 */
export function createCoverFilling(dependencies: Dependencies, log: Log): () => Promise<Filled> {
  const { db, now } = dependencies;
  const aside = new Map<number, { until: number; wait: number }>();
  let failedRuns = 0;
  let isFailing = false;

  function setAside({ id }: CoverlessPlugin): void {
    const wait = Math.min((aside.get(id)?.wait ?? RETRY / 2) * 2, WAIT_MAX);
    aside.set(id, { until: now() + wait, wait });
  }

  async function fillSome(): Promise<{ made: number; errors: object[] }> {
    const waiting = [...aside].filter(([, { until }]) => until > now()).map(([id]) => id);
    const coverless = await readCoverless(db, BATCH, waiting);
    const errors: object[] = [];
    for (const plugin of coverless) {
      try {
        await fillCover(dependencies, plugin, log);
        aside.delete(plugin.id);
      } catch (err) {
        setAside(plugin);
        errors.push({ err, plugin: plugin.plugin_key });
      }
    }
    return { made: coverless.length - errors.length, errors };
  }

  return async () => {
    const { made, errors } = await fillSome();
    const [first] = errors;
    if (isFailing && made > 0) log.info('covers are generated again');
    if (first && (made > 0 || !isFailing))
      log.warn(first, 'a cover cannot be generated; it is tried again later');
    isFailing = first !== undefined || (isFailing && made === 0);
    failedRuns = first && made === 0 ? failedRuns + 1 : 0;
    return { made, wait: made === BATCH ? 0 : Math.min(INTERVAL * 2 ** failedRuns, WAIT_MAX) };
  };
}

/** @throws STORAGE_FULL */
async function fillCover(
  { db, files, pictures, draw = generateCover }: Dependencies,
  plugin: CoverlessPlugin,
  log: Log,
): Promise<void> {
  const { plugin_key } = plugin;
  const icon = await readIcon(files, plugin);
  const content = await draw(icon, plugin_key).catch((err: unknown) => {
    log.warn({ err, plugin: plugin_key }, 'the icon cannot be used for a cover');
    return draw(null, plugin_key);
  });
  const cover = await pictures.store(await preparePicture({ content }));
  await db.transaction().execute(async (trx) => {
    await insertPictures(trx, [cover]);
    await setGeneratedCover(trx, plugin, cover.key);
  });
}

async function readIcon(files: FileStore, { icon }: CoverlessPlugin): Promise<Uint8Array | null> {
  const file = icon && (await files.get(`${icon.key}-${icon.width}.webp`));
  return file ? buffer(file.stream()) : null;
}

/**
 * Draws a cover: the icon on shapes in its own colours, always the same for the same icon and key. It shows no name,
 * since pages show it below and a server lacks fonts for some scripts.
 * @param icon any picture that sharp reads, or null
 * @param key of the plugin; selects the layout, and the colours if there is no icon
 * @returns a PNG of 1280 × 720
 * @throws Error if the icon cannot be decoded
 */
export async function generateCover(icon: Uint8Array | null, key: string): Promise<Buffer> {
  const [first = 0, second = 0, third = 0] = createHash('sha256').update(key).digest();
  const hue = (icon && (await findHue(icon))) ?? (first / 256) * 360;
  const draw = LAYOUTS[second % LAYOUTS.length] ?? rings;
  const picture = icon && (await sharp(icon).resize(320, 320, { fit: 'cover' }).png().toBuffer());
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs><filter id="blur" x="-40%" y="-40%" width="180%" height="180%"><feGaussianBlur stdDeviation="26"/></filter>
    <clipPath id="corners"><rect width="320" height="320" rx="72"/></clipPath></defs>
    ${draw(paletteOf(hue, third), third % 12, drawIcon(picture?.toString('base64')))}</svg>`;
  return sharp(Buffer.from(svg)).removeAlpha().png().toBuffer();
}

/** The dominant hue of an icon, in degrees; undefined for a grey icon. */
async function findHue(icon: Uint8Array): Promise<number | undefined> {
  const toOklch = converter('oklch');
  const pixels = await sharp(icon)
    .resize(SAMPLE, SAMPLE, { fit: 'fill' })
    .ensureAlpha()
    .toColourspace('srgb')
    .raw()
    .toBuffer();
  let [x, y] = [0, 0];
  for (let at = 0; at < pixels.length; at += 4) {
    const [r = 0, g = 0, b = 0, alpha = 0] = pixels.subarray(at, at + 4);
    const { c, h = 0 } = toOklch({ mode: 'rgb', r: r / 255, g: g / 255, b: b / 255 });
    if (c < GREY) continue;
    x += c * alpha * Math.cos((h * Math.PI) / 180);
    y += c * alpha * Math.sin((h * Math.PI) / 180);
  }
  return x === 0 && y === 0 ? undefined : ((Math.atan2(y, x) * 180) / Math.PI + 360) % 360;
}

type Palette = Record<'deep' | 'base' | 'light' | 'accent' | 'pale', string>;

function paletteOf(hue: number, choice: number): Palette {
  const turn = choice % 2 === 0 ? 42 : -42;
  // Dark yellows look muddy, so they are lighter than other hues.
  const lift = 0.17 * Math.exp(-(((hue - 95) / 38) ** 2));
  const hex = (l: number, c: number, h: number): string =>
    formatHex(clampChroma({ mode: 'oklch', l, c, h: (h + 360) % 360 }, 'oklch'));
  return {
    deep: hex(0.33 + lift, 0.12, hue - 100 * lift),
    base: hex(0.56 + lift, 0.17, hue - 60 * lift),
    light: hex(0.78, 0.12, hue + turn / 2),
    accent: hex(0.68 + lift / 2, 0.18, hue + (lift > 0.05 ? -42 : turn)),
    pale: hex(0.93, 0.045, hue),
  };
}

type DrawIcon = (x: number, y: number, side: number) => string;
type Layout = (palette: Palette, tilt: number, icon: DrawIcon) => string;

/** Draws the icon around a centre, with rounded corners and a shadow. */
function drawIcon(png: string | undefined): DrawIcon {
  if (png === undefined) return () => '';
  return (x, y, side) => `<g transform="translate(${x - side / 2} ${y - side / 2}) scale(${side / 320})">
    <rect y="24" width="320" height="320" rx="72" filter="url(#blur)" opacity=".34"/>
    <image width="320" height="320" clip-path="url(#corners)" href="data:image/png;base64,${png}"/></g>`;
}

function background(from: string, to: string): string {
  return `<linearGradient id="ground" x2="1" y2="1"><stop stop-color="${from}"/><stop offset="1" stop-color="${to}"/>
    </linearGradient><rect width="${WIDTH}" height="${HEIGHT}" fill="url(#ground)"/>`;
}

function glow(x: number, y: number, radius: number, color: string): string {
  const id = `glow-${color.slice(1)}`;
  return `<radialGradient id="${id}"><stop stop-color="${color}"/><stop offset="1" stop-color="${color}" stop-opacity="0"/>
    </radialGradient><circle cx="${x}" cy="${y}" r="${radius}" fill="url(#${id})" opacity=".7"/>`;
}

/** A dark background with the icon inside rings. */
const rings: Layout = ({ deep, base, light, accent }, tilt, icon) => {
  const circles = [240, 340, 450, 570].map(
    (radius, index) =>
      `<circle cx="640" cy="360" r="${radius}" fill="none" stroke="${light}" stroke-opacity="${0.34 - index * 0.07}" stroke-width="2"/>`,
  );
  const glows = glow(990 + 10 * tilt, 80, 520, accent) + glow(240 - 10 * tilt, 690, 460, light);
  return background(base, deep) + glows + circles.join('') + icon(640, 360, 268);
};

/** A pale background with the icon in front of tilted squares. */
const squares: Layout = ({ base, light, accent, pale }, tilt, icon) => {
  const square = (x: number, y: number, side: number, fill: string, angle: number): string =>
    `<rect x="${x - side / 2}" y="${y - side / 2}" width="${side}" height="${side}" rx="${side * 0.22}" fill="${fill}" transform="rotate(${angle} ${x} ${y})"/>`;
  const shapes = [
    square(250, 560, 420, base, -10 - tilt),
    square(1060, 170, 460, light, 10 + tilt),
    square(980, 640, 200, base, 20 + tilt),
    square(330, 120, 150, accent, 10 + tilt),
  ];
  return background(pale, '#ffffff') + shapes.join('') + icon(640, 360, 300);
};

/** A bright background with the icon between two glows. */
const glows: Layout = ({ deep, base, light, accent }, tilt, icon) =>
  background(accent, base) +
  glow(1120, 640 - 10 * tilt, 560, deep) +
  glow(260, 60 + 10 * tilt, 480, light) +
  icon(640, 360, 284);

const LAYOUTS: readonly Layout[] = [rings, squares, glows];

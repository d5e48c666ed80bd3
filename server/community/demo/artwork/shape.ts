/** Deterministic numbers in [0, 1), the same for the same seed on every machine (mulberry32). */
export type Random = () => number;

export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** A whole number from `low` to `high`, both included. */
export function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** One of the values; the list must not be empty. */
export function pick<Value>(random: Random, values: readonly [Value, ...Value[]]): Value {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** The results of `draw(0)` to `draw(count - 1)` as one string of SVG. */
export function repeat(count: number, draw: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => draw(index)).join('');
}

/** A number as SVG wants it: at most two decimals, so that drawings do not depend on the last bit. */
export function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}

export function box(
  x: number,
  y: number,
  width: number,
  height: number,
  radius: number,
  fill: string,
  extra = '',
): string {
  return `<rect x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}" rx="${num(radius)}" fill="${fill}" ${extra}/>`;
}

export function disc(x: number, y: number, radius: number, fill: string, extra = ''): string {
  return `<circle cx="${num(x)}" cy="${num(y)}" r="${num(radius)}" fill="${fill}" ${extra}/>`;
}

/** A circle of which only the line is seen. */
export function ring(
  x: number,
  y: number,
  radius: number,
  stroke: string,
  width: number,
  extra = '',
): string {
  return disc(x, y, radius, 'none', `stroke="${stroke}" stroke-width="${num(width)}" ${extra}`);
}

/** A filled path. */
export function shape(d: string, fill: string, extra = ''): string {
  return `<path d="${d}" fill="${fill}" ${extra}/>`;
}

/** A path of which only the line is seen, with round ends and joins. */
export function stroke(d: string, colour: string, width: number, extra = ''): string {
  return `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${num(width)}" stroke-linecap="round" stroke-linejoin="round" ${extra}/>`;
}

/** A straight line with flat ends. */
export function rule(
  x1: number,
  y1: number,
  x2: number,
  y2: number,
  colour: string,
  width: number,
  extra = '',
): string {
  return `<path d="M${num(x1)} ${num(y1)}L${num(x2)} ${num(y2)}" stroke="${colour}" stroke-width="${num(width)}" ${extra}/>`;
}

export function group(transform: string, content: string, extra = ''): string {
  return `<g transform="${transform}" ${extra}>${content}</g>`;
}

/** A diamond around a centre, as keyframes are drawn in timelines. */
export function diamond(x: number, y: number, size: number, fill: string, extra = ''): string {
  return shape(
    `M${num(x)} ${num(y - size)}L${num(x + size)} ${num(y)}L${num(x)} ${num(y + size)}L${num(x - size)} ${num(y)}Z`,
    fill,
    extra,
  );
}

/** A ring segment; angles in turns, clockwise from the top. */
export function arc(
  x: number,
  y: number,
  radius: number,
  from: number,
  to: number,
  colour: string,
  width: number,
  cap = 'butt',
): string {
  const at = (turn: number): string => {
    const angle = (turn - 0.25) * 2 * Math.PI;
    return `${num(x + radius * Math.cos(angle))} ${num(y + radius * Math.sin(angle))}`;
  };
  const large = to - from > 0.5 ? 1 : 0;
  return `<path d="M${at(from)}A${num(radius)} ${num(radius)} 0 ${large} 1 ${at(to)}" fill="none" stroke="${colour}" stroke-width="${num(width)}" stroke-linecap="${cap}"/>`;
}

/** A four-pointed sparkle around a centre. */
export function sparkle(x: number, y: number, size: number, fill: string): string {
  const pinch = size * 0.16;
  return shape(
    `M${num(x)} ${num(y - size)}Q${num(x + pinch)} ${num(y - pinch)} ${num(x + size)} ${num(y)}Q${num(x + pinch)} ${num(y + pinch)} ${num(x)} ${num(y + size)}Q${num(x - pinch)} ${num(y + pinch)} ${num(x - size)} ${num(y)}Q${num(x - pinch)} ${num(y - pinch)} ${num(x)} ${num(y - size)}Z`,
    fill,
  );
}

/** The arrow of a pointing device with its tip at the given place. */
export function cursor(x: number, y: number, size: number, fill: string, outline: string): string {
  return group(
    `translate(${num(x)} ${num(y)}) scale(${num(size / 24)})`,
    shape('M0 0L7 20L10.5 11.5L19 8Z', fill, `stroke="${outline}" stroke-width="2" stroke-linejoin="round"`),
  );
}

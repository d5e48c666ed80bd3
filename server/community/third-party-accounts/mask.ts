const DOTS = '\u2022'.repeat(8);
const SHOWN = 4;
/** Four characters of a shorter secret would tell too much of it. */
const SHOWN_FROM = 16;

/** What is shown of a secret: its end, to tell it from another; not its length. */
export function masked(secret: string): string {
  return DOTS + (secret.length >= SHOWN_FROM ? secret.slice(-SHOWN) : '');
}

import type { Messages } from 'use-intl';

/** Keys of a namespace's texts that take no arguments. */
export type MessageKeys<Namespace extends keyof Messages> = {
  [Key in keyof Messages[Namespace] & string]: Messages[Namespace][Key] extends `${string}{${string}`
    ? never
    : Key;
}[keyof Messages[Namespace] & string];

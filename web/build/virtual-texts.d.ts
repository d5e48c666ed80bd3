declare module 'virtual:texts/*' {
  type Texts = import('use-intl').Messages;

  /** Compiled texts of a language that every page may show (web/build/messages-plugin.ts). */
  const texts: Texts;
  export default texts;
  /** What fetches its other texts. */
  export const groups: Readonly<
    Record<import('../text-groups.ts').TextGroup, () => Promise<{ default: Partial<Texts> }>>
  >;
}

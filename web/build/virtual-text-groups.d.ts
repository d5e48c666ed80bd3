declare module 'virtual:text-groups' {
  type Load = () => Promise<{ default: Partial<import('use-intl').Messages> }>;

  /** Compiled texts of each group and language (web/build/messages-plugin.ts). */
  export const textGroups: Readonly<
    Record<
      import('../text-groups.ts').TextGroup,
      Readonly<Record<import('../../shared/languages.ts').Language, Load>>
    >
  >;
}

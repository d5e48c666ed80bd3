/** The address a page was asked for under. */
export type PageTarget = { url: URL; params: Readonly<Record<string, string | undefined>> };

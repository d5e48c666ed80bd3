/** The part of a plugin package that runs. */
export type ProgramPackage = {
  manifest: Readonly<Record<string, unknown>>;
  files: Readonly<Record<string, string>>;
};

/** Sources of a plugin. `pages`: pages of its panel by name, if the manifest names several; `page`: the only one. */
export type Program = { main: string; page: string; pages: Record<string, string> };

/**
 * The sources that a package names.
 * @throws Error if a file is missing
 */
export function programOf({ manifest, files }: ProgramPackage): Program {
  const byName = new Map(Object.entries(files).map(([name, text]) => [plain(name), text]));
  const read = (name: unknown): string => {
    const text = typeof name === 'string' ? byName.get(plain(name)) : undefined;
    if (text === undefined) throw new Error(`The package has no file ${String(name)}`);
    return text;
  };
  const { main, ui } = manifest;
  const isMap = typeof ui === 'object' && ui !== null;
  const pages = isMap ? Object.entries(ui).map(([name, file]) => [name, read(file)] as const) : [];
  return {
    main: read(main),
    page: isMap || ui === undefined ? '' : read(ui),
    pages: Object.fromEntries(pages),
  };
}

function plain(name: string): string {
  return name.replace(/^(?:\.\/)+/, '');
}

import type { classTable } from './class-names.ts';

/** Styles of what a visitor's first view seldom shows; a document that shows any of it carries them all the same. */
const LATER_STYLES = [
  'web/features/plugins/featured.module.css',
  'web/features/plugins/installed-badge.module.css',
  'web/features/plugins/plugin-card-skeleton.module.css',
  'web/layout/desktop/desktop-header.module.css',
  'web/layout/progress-line.module.css',
  'web/layout/status-page.module.css',
  'web/ui/avatar/avatar.module.css',
  'web/ui/notice/notice.module.css',
  'web/ui/skeleton/skeleton.module.css',
  'web/ui/spinner/spinner.module.css',
];

/** The same of styles that first views show a part of. */
const LATER_CLASSES: Readonly<Record<string, readonly string[]>> = {
  'web/features/plugins/plugin-buttons.module.css': ['installed', 'fresh', 'state', 'offer', 'liked'],
  'web/features/session/account-menu.module.css': ['account', 'email', 'name', 'unknown'],
  'web/ui/field/field.module.css': ['error', 'head', 'hint', 'note'],
  'web/ui/toast/toast.module.css': ['toast', 'success', 'failure', 'arrive'],
};

/** Short names of all of these. @throws when one is not there any more. */
export function laterNames(table: ReturnType<typeof classTable>): ReadonlySet<string> {
  const namesOf = (file: string): ReadonlyMap<string, string> => {
    const names = table.get(file);
    if (!names) throw new Error(`There is no style ${file} to send later.`);
    return names;
  };
  const classes = Object.entries(LATER_CLASSES).flatMap(([file, names]) =>
    names.map((name) => {
      const short = namesOf(file).get(name);
      if (short === undefined) throw new Error(`${file} has no class ${name} to send later.`);
      return short;
    }),
  );
  return new Set([...LATER_STYLES.flatMap((file) => [...namesOf(file).values()]), ...classes]);
}

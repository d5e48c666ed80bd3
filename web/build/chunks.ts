import { basename, relative } from 'node:path';
import type { Rolldown } from 'vite';

/** Who a piece of the client is for; visitors never load what only others need. */
export type Audience = 'visitor' | 'workshop';

export const PAGE = /^web\/pages\/.*-page\.tsx$/;

/** Pages of publishers and of the backstage. */
const WORKSHOP_PAGE = /^web\/pages\/(publish|my-plugins|backstage)\//;

export function audienceOfPage(source: string): Audience {
  return WORKSHOP_PAGE.test(source) ? 'workshop' : 'visitor';
}

/** What every page loads, with what home shares with others: one file, since most visits begin there. */
const SHARED = 'shared';
const HOME = 'home-page';

const WEB = /^web\//;

type ModuleInfo = Rolldown.GetModuleInfo;

/**
 * Name of the chunk that a module of ours shares with others, or null when a single page or lazy part uses it. What every
 * page loads and what visitors' pages share with home is one file; what others share does not burden home.
 */
export function chunkNamer(root: string): Rolldown.CodeSplittingNameFunction {
  const known = new Map<string, ReadonlySet<string>>();
  return (id, context) => {
    const getModuleInfo: ModuleInfo = (module) => context.getModuleInfo(module);
    const starts = [...startsOf(id, getModuleInfo, known)];
    if (starts.some((start) => getModuleInfo(start)?.isEntry)) return SHARED;
    if (starts.length < 2) return null;
    const visitors = starts.filter((start) => audienceOf(start, root, getModuleInfo, known) === 'visitor');
    // What only lazy parts share stays with them: it may stand on a large library.
    const isOurs = WEB.test(relative(root, id));
    if (visitors.length === 0) {
      return isOurs && starts.some((start) => PAGE.test(relative(root, start))) ? 'workshop' : null;
    }
    const pages = visitors.filter((start) => PAGE.test(relative(root, start)));
    // What no page brings along is fetched with the first lazy part that needs it.
    if (pages.length === 0 && visitors.length > 1) return isOurs ? 'layers' : null;
    const names = (pages.length > 0 ? pages : visitors).map(nameOf).sort();
    if (names.includes(HOME)) return SHARED;
    return isOurs ? `common-${names.join('-')}` : null;
  };
}

function nameOf(module: string): string {
  return basename(module).replace(/\.\w+$/, '');
}

/** The entry and the dynamically imported modules from which a module is reached by static imports. */
function startsOf(
  id: string,
  getModuleInfo: ModuleInfo,
  known: Map<string, ReadonlySet<string>>,
): ReadonlySet<string> {
  const found = known.get(id);
  if (found) return found;
  const starts = new Set<string>();
  const seen = new Set<string>([id]);
  for (const module of seen) {
    const info = getModuleInfo(module);
    if (info?.isEntry || info?.dynamicImporters.length) starts.add(module);
    for (const importer of info?.importers ?? []) seen.add(importer);
  }
  known.set(id, starts);
  return starts;
}

/** A page's own audience; that of a lazy part is the widest of those that ask for it. */
function audienceOf(
  start: string,
  root: string,
  getModuleInfo: ModuleInfo,
  known: Map<string, ReadonlySet<string>>,
  asked = new Set<string>(),
): Audience {
  const source = relative(root, start);
  if (PAGE.test(source)) return audienceOfPage(source);
  if (asked.has(start)) return 'workshop';
  asked.add(start);
  const info = getModuleInfo(start);
  if (info?.isEntry) return 'visitor';
  const askers = (info?.dynamicImporters ?? []).flatMap((importer) => [
    ...startsOf(importer, getModuleInfo, known),
  ]);
  return askers.some((asker) => audienceOf(asker, root, getModuleInfo, known, asked) === 'visitor')
    ? 'visitor'
    : 'workshop';
}

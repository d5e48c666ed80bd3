/** Parameters of a page's path, decoded; `*` holds what is left of it. */
export type PathParams = Readonly<Record<string, string | undefined>>;

/**
 * The parameters of `path` if it is one that `pattern` describes: `:name` stands for one segment, `*` at the end for any
 * number of them. Upper and lower case are the same, and slashes at the end make no difference.
 */
export function matchPath(pattern: string, path: string): PathParams | undefined {
  const names: string[] = [];
  const source = pattern
    .replace(/\/+$/, '')
    .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
    .replace(/:(\w+)/g, (_, name: string) => {
      names.push(name);
      return '([^/]+)';
    })
    .replace(/\/?\*$/, (splat) => {
      names.push('*');
      return splat === '*' ? '(.*)' : '(?:/(.+))?';
    });
  const match = new RegExp(`^${source}/*$`, 'i').exec(path.split('/').map(decoded).join('/'));
  if (!match) return undefined;
  return Object.fromEntries(
    names.map((name, index) => [name, (match[index + 1] ?? '').replaceAll(SLASH, '/')]),
  );
}

/** A slash inside a segment. */
const SLASH = '%2F';

/** A malformed segment stays as it is: its page says that there is nothing. */
function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment).replaceAll('/', SLASH);
  } catch {
    return segment;
  }
}

const CLASS = /\.(-?[A-Za-z_][\w-]*)/g;
const GROUPING = /^@(?:media|supports|container)/;

/** A rule of a style sheet: what stands before its braces, and between them. */
type Rule = { head: string; body: string };

/**
 * A style sheet without what only later states of a page show: rules all of whose selectors name a class, and animations
 * that bear a name, of which `isLater` is true.
 */
export function leanCss(css: string, isLater: (name: string) => boolean): string {
  return rulesOf(css)
    .map(({ head, body }) => {
      if (!GROUPING.test(head)) return isRuleLater(head, isLater) ? '' : `${head}{${body}}`;
      const inner = leanCss(body, isLater);
      return inner === '' ? '' : `${head}{${inner}}`;
    })
    .join('');
}

function isRuleLater(head: string, isLater: (name: string) => boolean): boolean {
  if (head.startsWith('@')) return isLater(/^@keyframes (\S+)/.exec(head)?.[1] ?? '');
  return selectorsOf(head).every((selector) =>
    [...selector.matchAll(CLASS)].some(([, name = '']) => isLater(name)),
  );
}

/** The rules of minified CSS, in which braces stand around rules alone. */
function rulesOf(css: string): Rule[] {
  const rules: Rule[] = [];
  let depth = 0;
  let start = 0;
  let opened = 0;
  for (let at = 0; at < css.length; at += 1) {
    if (css[at] === '{') {
      if (depth === 0) opened = at;
      depth += 1;
    } else if (css[at] === '}') {
      depth -= 1;
      if (depth > 0) continue;
      rules.push({ head: css.slice(start, opened), body: css.slice(opened + 1, at) });
      start = at + 1;
    }
  }
  return rules;
}

/** Selectors of a list; a comma inside brackets separates nothing. */
function selectorsOf(head: string): string[] {
  const selectors = [''];
  let depth = 0;
  for (const character of head) {
    if (character === '(') depth += 1;
    if (character === ')') depth -= 1;
    if (character === ',' && depth === 0) selectors.push('');
    else selectors[selectors.length - 1] += character;
  }
  return selectors;
}

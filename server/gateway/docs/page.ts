import { createHash } from 'node:crypto';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { Access, Route } from '../../../shared/route.ts';

/** A call of the contract by its name there. */
export type NamedRoute = { name: string; route: Route };

const WHO: Readonly<Record<Access, string>> = {
  all: 'Everybody',
  user: 'Signed-in users',
  publisher: 'Publishers',
  admin: 'Administrators',
};
/** The look of the page: the product's colours, light and dark, without a request of its own. */
const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #0f1211);
  --sunken: light-dark(#f5f7f6, #161a18);
  --line: light-dark(#e4e8e6, #29302d);
  --text: light-dark(#121715, #f0f4f2);
  --text-2: light-dark(#4b5551, #b3bdb8);
  --accent: light-dark(#08734f, #45d19b);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 2.5rem) 4rem; max-width: 64rem;
  background: var(--bg); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.022em; margin: 0 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 2.5rem 0 0.5rem; }
p { color: var(--text-2); margin: 0.5rem 0; max-width: 70ch; }
a { color: var(--accent); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { display: inline-block; min-height: 1.75rem; }
details { border: 1px solid var(--line); border-radius: 0.625rem; margin: 0.5rem 0; }
summary { cursor: pointer; padding: 0.75rem 1rem; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
summary b { display: inline-block; min-width: 4.5ch; color: var(--accent); font: 600 0.875rem/1.5 ui-monospace, monospace; }
summary code { font-size: 0.9375rem; }
summary span { display: block; color: var(--text-2); font-size: 0.875rem; }
dl { margin: 0; padding: 0 1rem 1rem; }
dt { color: var(--text-2); font-size: 0.8125rem; margin-top: 0.75rem; }
dd { margin: 0; }
pre { margin: 0.25rem 0 0; padding: 0.75rem; overflow-x: auto; background: var(--sunken); border-radius: 0.375rem; font: 0.8125rem/1.5 ui-monospace, monospace; }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** As on every answer that is no page, but for our one style sheet and the links of the page itself. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Every call of the contract as one page without a script: a list to open, call by call. */
export function docsPage({
  routes,
  openApiPath,
  version,
}: {
  routes: readonly NamedRoute[];
  openApiPath: string;
  version: string;
}): string {
  const groups = Map.groupBy(routes, ({ route }) => groupOf(route));
  const sections = [...groups].map(([group, calls]) => section(group, calls));
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>Plugin Square: calls</title><style>${STYLE}</style></head><body><main>`,
    `<h1>Calls of Plugin Square ${escapeMarkup(version)}</h1>`,
    `<p>The same as an <a href="${openApiPath}">OpenAPI 3.1 document</a>. Answers are `,
    '<code>{ code, message, data }</code>; failures carry the true HTTP status and a stable word as <code>code</code>.</p>',
    `<nav aria-label="Groups"><ul>${[...groups.keys()].map(link).join('')}</ul></nav>`,
    ...sections,
    '</main></body></html>',
  ].join('');
}

function link(group: string): string {
  return `<li><a href="#${anchor(group)}">${escapeMarkup(group)}</a></li>`;
}

function anchor(group: string): string {
  return group.replaceAll(/[^\w-]+/g, '-');
}

function section(group: string, routes: readonly NamedRoute[]): string {
  const calls = routes.map(call).join('');
  return `<section id="${anchor(group)}"><h2>${escapeMarkup(group)}</h2>${calls}</section>`;
}

function call({ name, route }: NamedRoute): string {
  const { method, path, summary } = route;
  const rows = factsOf(route).map(([term, text]) => `<dt>${term}</dt><dd>${text}</dd>`);
  return (
    `<details id="${name}"><summary><b>${method}</b> <code>${escapeMarkup(path)}</code>` +
    `<span>${escapeMarkup(summary)}</span></summary><dl>${rows.join('')}</dl></details>`
  );
}

function factsOf(route: Route): [term: string, html: string][] {
  const facts: [string, string | undefined][] = [
    ['Who may call it', WHO[route.access] + (route.publishToken ? ', and publish tokens as bearer' : '')],
    ['Header', needsPageHeader(route) ? code(`${REQUESTED_WITH_HEADER}: ${REQUESTED_WITH}`) : undefined],
    ['Path', signature(route.params)],
    ['Query', signature(route.query)],
    [route.multipart ? 'Form fields (multipart/form-data)' : 'Body (JSON)', signature(route.body)],
    ['Answer', route.data ? signature(route.data) : 'A file, a page or a redirect'],
    [
      'Shared for',
      route.cache === undefined ? undefined : `${route.cache} s with those who are not signed in`,
    ],
  ];
  return facts.flatMap(([term, html]) => (html === undefined ? [] : [[term, html]]));
}

function code(text: string): string {
  return `<code>${escapeMarkup(text)}</code>`;
}

function signature(schema: Route['data']): string | undefined {
  return schema && `<pre tabindex="0">${escapeMarkup(schemaText(schema))}</pre>`;
}

/** Calls that a browser makes by an address alone cannot carry the page's own header. */
export function needsPageHeader(route: Route): boolean {
  return !route.beacon && !(route.file && route.access === 'all');
}

/** The first two segments of a path that say what a call is about; the page and the document group by it. */
export function groupOf({ path }: Route): string {
  const [, ...segments] = path.replace(/^\/api/, '').split('/');
  return segments
    .filter((segment) => !segment.startsWith('{'))
    .slice(0, 2)
    .join(' / ');
}

type Schema = Readonly<Record<string, unknown>>;

const STEP = '  ';
const LIMITS: readonly (readonly [keyword: string, written: (value: unknown) => string])[] = [
  ['format', (value) => String(value)],
  ['minLength', (value) => `≥ ${value} characters`],
  ['maxLength', (value) => `≤ ${value} characters`],
  ['minimum', (value) => `≥ ${value}`],
  ['maximum', (value) => (value === Number.MAX_SAFE_INTEGER ? '' : `≤ ${value}`)],
  ['maxItems', (value) => `≤ ${value} items`],
  ['pattern', (value) => `/${value}/`],
  ['default', (value) => `default ${JSON.stringify(value)}`],
];

/** A JSON Schema as people read it: a type written out, a line for each field, limits behind it. */
export function schemaText(schema: unknown, indent = ''): string {
  if (!isSchema(schema)) return 'anything';
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(schema.anyOf)) return schema.anyOf.map((one) => schemaText(one, indent)).join(' | ');
  if (schema.type === 'array') return `${listed(schemaText(schema.items, indent))}${limitsOf(schema)}`;
  if (isSchema(schema.properties)) return fields(schema, schema.properties, indent);
  if (schema.type === 'object') return '{ any fields }';
  if (typeof schema.type !== 'string') return 'anything';
  return `${schema.type}${limitsOf(schema)}`;
}

function listed(item: string): string {
  return /^[\w"]+$/.test(item) || item.startsWith('{') ? `${item}[]` : `(${item})[]`;
}

function fields(schema: Schema, properties: Schema, indent: string): string {
  const names = Object.keys(properties);
  if (names.length === 0) return '{}';
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : [];
  const inner = indent + STEP;
  const lines = names.map(
    (name) => `${inner}${name}${required.includes(name) ? '' : '?'}: ${schemaText(properties[name], inner)}`,
  );
  return `{\n${lines.join('\n')}\n${indent}}`;
}

function limitsOf(schema: Schema): string {
  const limits = LIMITS.flatMap(([keyword, written]) =>
    keyword in schema ? [written(schema[keyword])] : [],
  ).filter((limit) => limit !== '');
  return limits.length > 0 ? ` (${limits.join(', ')})` : '';
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

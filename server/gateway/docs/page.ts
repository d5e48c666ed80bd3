import { createHash } from 'node:crypto';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { Access, Route } from '../../../shared/route.ts';
import { documentedRoutes, groupOf, type NamedRoute, needsPageHeader } from './openapi.ts';
import { schemaText } from './schema-text.ts';
import { STYLE } from './style.ts';

const WHO: Readonly<Record<Access, string>> = {
  all: 'Everybody',
  user: 'Signed-in people',
  publisher: 'Publishers',
  admin: 'Administrators',
};
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** As on every answer that is no page, but for our one style sheet and the links of the page itself. */
export const DOCS_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** Every call of the contract as one page without a script: a list to open, call by call. */
export function docsPage({ openApiPath, version }: { openApiPath: string; version: string }): string {
  const groups = Map.groupBy(documentedRoutes(), ({ route }) => groupOf(route));
  const sections = [...groups].map(([group, routes]) => section(group, routes));
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

import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import type { ToolScope } from '../../../shared/entities/tool.ts';
import { ERRORS } from '../../../shared/errors.ts';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { Access, Route } from '../../../shared/route.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { implement, WRITTEN } from '../../http/implement.ts';
import type { GatewayConfig } from '../options.ts';
import { sessionCookieName } from '../session/cookie.ts';
import { hasLocalAccounts } from '../sign-in/login-params.ts';

const OPERATIONS = Object.entries<Route>(contract);

/** API documentation for other clients: a page and an OpenAPI document, both created on the first request. */
export async function apiDocs(app: FastifyInstance): Promise<void> {
  const { config, publicUrl } = app.gateway;
  const tokens = tokensOf(config);
  let page: string | undefined;
  let document: string | undefined;
  const send = (reply: FastifyReply, type: string, text: string): typeof WRITTEN => {
    reply.header('cache-control', 'public, max-age=300').type(`${type}; charset=utf-8`).send(text);
    return WRITTEN;
  };
  implement(app, docsRoutes.readApiDocs, ({ reply }) => {
    page ??= docsPage();
    return send(reply.header('content-security-policy', POLICY), 'text/html', page);
  });
  implement(app, docsRoutes.readOpenApi, ({ reply }) => {
    document ??= JSON.stringify(openApiDocument(publicUrl, { version: config.version, tokens }));
    return send(reply, 'application/json', document);
  });
}

/** The chapter of calls for design tools, and what they may rely on. */
const CLIENT_API = 'Client API';
const STABILITY =
  'Calls for design tools. Within a major version no call, field or value of these is taken away or narrowed. Fields, values ' +
  'of states and calls may be added: ignore what you do not know. All other calls belong to the pages of this site and may ' +
  'change with any release.';

/** The JSON values of the document. */
type Json = string | number | boolean | TSchema | Json[] | { [name: string]: Json };

/** The contract as an OpenAPI 3.1 document; TypeBox schemas are JSON Schema. */
function openApiDocument(publicUrl: URL, { version, tokens }: { version: string; tokens: Tokens }): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, route] of OPERATIONS) {
    paths[route.path] = {
      ...paths[route.path],
      [route.method.toLowerCase()]: operationOf(name, route, tokens),
    };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Plugin Square', version, license: { name: 'Apache-2.0', identifier: 'Apache-2.0' } },
    servers: [{ url: publicUrl.origin }],
    tags: [{ name: CLIENT_API, description: STABILITY }],
    paths,
    components: {
      responses: {
        Error: {
          description: 'Error, with its HTTP status',
          content: { 'application/json': { schema: ERROR } },
        },
      },
      securitySchemes: {
        session: { type: 'apiKey', in: 'cookie', name: sessionCookieName(publicUrl.protocol === 'https:') },
        page: {
          type: 'apiKey',
          in: 'header',
          name: REQUESTED_WITH_HEADER,
          description: `Always "${REQUESTED_WITH}". Protects against CSRF.`,
        },
        publishToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Created on the page “My plugins”; it can only publish.',
        },
        ...(tokens !== 'none' && { tool: schemeOf(tokens, publicUrl) }),
      },
    },
  };
}

/** Whose access tokens design tools have here: those of our authorization server, or of a user service of another make. */
type Tokens = 'own' | 'user-service' | 'none';

function tokensOf(config: GatewayConfig): Tokens {
  return hasLocalAccounts(config) ? 'own' : config.clientTokens;
}

const SCOPE_TEXTS: Readonly<Record<ToolScope, string>> = {
  'plugins:read': 'See the plugins that the user has installed, liked and published',
  'plugins:install': 'Install, update and remove plugins for the user',
  'plugins:publish': 'Publish plugins and new versions in the user’s name',
};

function schemeOf(tokens: Exclude<Tokens, 'none'>, { origin }: URL): Json {
  if (tokens === 'user-service')
    return {
      type: 'http',
      scheme: 'bearer',
      description: 'Access token of the user service. Without a cookie.',
    };
  return {
    type: 'oauth2',
    description:
      'Access token of a design tool, without a cookie. With PKCE, and DPoP if the tool wants; devices without a browser have ' +
      `RFC 8628. All endpoints: ${origin}/.well-known/oauth-authorization-server`,
    flows: {
      authorizationCode: {
        authorizationUrl: `${origin}/oauth/authorize`,
        tokenUrl: `${origin}/oauth/token`,
        refreshUrl: `${origin}/oauth/token`,
        scopes: SCOPE_TEXTS,
      },
    },
  };
}

/** What a design tool sends in place of a session; undefined for a call that takes no token of one. */
function toolSecurity({ client, scope }: Route, tokens: Tokens): Json | undefined {
  if (scope === undefined || tokens === 'none') return undefined;
  if (tokens === 'user-service') return client ? { tool: [] } : undefined;
  return { tool: [scope] };
}

const ERROR = Type.Object({
  code: Type.Enum(Object.keys(ERRORS)),
  message: Type.String({ description: 'Safe to show; for logs and command lines.' }),
  errors: Type.Optional(
    Type.Array(Type.Object({ pointer: Type.String({ description: 'RFC 6901' }), message: Type.String() })),
  ),
  data: Type.Optional(
    Type.Unknown({ description: 'For a conflict: the conflicting change and its author.' }),
  ),
});

function operationOf(operationId: string, route: Route, tokens: Tokens): Json {
  const { access, body, data, multipart, params, publishToken, query, successCode, summary } = route;
  const session = { ...(hasPageHeader(route) && { page: [] }), ...(access !== 'all' && { session: [] }) };
  const ofTool = toolSecurity(route, tokens);
  const envelope =
    data && Type.Object({ code: Type.Literal(successCode ?? 0), message: Type.String(), data });
  return {
    operationId,
    summary,
    tags: route.client ? [CLIENT_API, groupOf(route)] : [groupOf(route)],
    ...(route.client && { 'x-client': true }),
    'x-access': access,
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query')],
    ...(body && {
      requestBody: {
        required: true,
        content: { [multipart ? 'multipart/form-data' : 'application/json']: { schema: body } },
      },
    }),
    responses: {
      200: envelope
        ? { description: 'Done', content: { 'application/json': { schema: envelope } } }
        : { description: NO_DATA },
      default: { $ref: '#/components/responses/Error' },
    },
    // Alternatives; all schemes of one are required.
    security: [session, ...(publishToken ? [{ publishToken: [] }] : []), ...(ofTool ? [ofTool] : [])],
  };
}

function parametersOf(schema: Route['query'], place: 'path' | 'query'): Json[] {
  return Object.entries(schema?.properties ?? {}).map(([name, property]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required?.includes(name) === true && !('default' in property)),
    schema: property,
  }));
}

const NO_DATA = 'A file, a page or a redirect';

/** Files that browsers load by URL, and beacons, cannot have the CSRF header. */
function hasPageHeader(route: Route): boolean {
  return !route.beacon && route.shared === undefined && !(route.file && route.access === 'all');
}

/** The first two path segments that are not parameters. */
function groupOf({ path }: Route): string {
  const segments = path.replace(/^\/(?:api\/)?/, '').split('/');
  return segments
    .filter((segment) => !segment.startsWith('{'))
    .slice(0, 2)
    .join(' / ');
}

const STYLE = `
:root { color-scheme: light dark }
body { margin: 2rem auto; padding: 0 1rem; max-width: 64rem; font: 1rem/1.5 system-ui, sans-serif }
details { border-bottom: 1px solid light-dark(#e4e8e6, #29302d) }
summary { padding: 0.75rem 0; overflow-wrap: anywhere }
pre { overflow-x: auto }
`;
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The default policy for responses, plus the style sheet of this page; without sandbox, so that links work. */
const POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`;

/** All calls of the contract on one page without scripts. */
function docsPage(): string {
  const isClient = ([, route]: (typeof OPERATIONS)[number]): boolean => route.client === true;
  const groups = Map.groupBy(
    OPERATIONS.filter((call) => !isClient(call)),
    ([, route]) => groupOf(route),
  );
  const sections = [...groups].map(
    ([group, calls]) => `<h2>${escapeMarkup(group)}</h2>${calls.map(callText).join('')}`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<title>Plugin Square: calls</title><style>${STYLE}</style></head><body><main><h1>Calls of Plugin Square</h1>
<p>The same as an <a href="${docsRoutes.readOpenApi.path}">OpenAPI 3.1 document</a>. Responses are
<code>{ code, message, data }</code>; errors have their HTTP status and a stable <code>code</code>.</p>
<h2>${CLIENT_API}</h2><p>${STABILITY}</p>${OPERATIONS.filter(isClient).map(callText).join('')}
${sections.join('\n')}</main></body></html>`;
}

const WHO: Readonly<Record<Access, string>> = {
  all: 'Everybody',
  user: 'Signed-in users',
  publisher: 'Publishers',
  admin: 'Administrators',
};

function callText([name, route]: [name: string, route: Route]): string {
  const { access, body, cache, data, multipart, params, publishToken, query, scope } = route;
  const facts: [term: string, text: string | undefined][] = [
    ['Who may call it', WHO[access] + (publishToken ? ', and publish tokens as bearer' : '')],
    ['Scope for tools', scope],
    ['Header', hasPageHeader(route) ? `${REQUESTED_WITH_HEADER}: ${REQUESTED_WITH}` : undefined],
    ['Path', params && schemaText(params)],
    ['Query', query && schemaText(query)],
    [multipart ? 'Form fields (multipart/form-data)' : 'Body (JSON)', body && schemaText(body)],
    ['Answer', data ? schemaText(data) : NO_DATA],
    ['Cached for anonymous clients', cache === undefined ? undefined : `${cache} s`],
  ];
  const rows = facts.map(([term, text]) =>
    text === undefined ? '' : `<dt>${term}</dt><dd><pre tabindex="0">${escapeMarkup(text)}</pre></dd>`,
  );
  const title = `<b>${route.method}</b> <code>${escapeMarkup(route.path)}</code> ${escapeMarkup(route.summary)}`;
  return `<details id="${name}"><summary>${title}</summary><dl>${rows.join('')}</dl></details>`;
}

/** Keywords that are part of the written type; all others are appended to it. */
const TYPE_KEYWORDS = new Set(['type', 'const', 'enum', 'anyOf', 'items', 'properties', 'required']);

/** A JSON Schema as readable text: one line for each field, with its type and limits. */
export function schemaText(schema: unknown, indent = ''): string {
  if (!isSchema(schema)) return 'anything';
  const { type, anyOf, enum: values, items, properties, required } = schema;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(values)) return values.map((value) => JSON.stringify(value)).join(' | ');
  if (Array.isArray(anyOf)) return anyOf.map((one) => schemaText(one, indent)).join(' | ');
  const limits = Object.entries(schema)
    .filter(([name, value]) => !TYPE_KEYWORDS.has(name) && typeof value !== 'object')
    .map(([name, value]) => ` (${name} ${JSON.stringify(value)})`)
    .join('');
  if (type === 'array') {
    const item = schemaText(items, indent);
    return `${/^\w+$/.test(item) ? item : `(${item})`}[]${limits}`;
  }
  if (!isSchema(properties)) return (typeof type === 'string' ? type : 'anything') + limits;
  const lines = Object.entries(properties).map(([name, property]) => {
    const mark = Array.isArray(required) && required.includes(name) ? '' : '?';
    return `${indent}  ${name}${mark}: ${schemaText(property, `${indent}  `)}\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
}

function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

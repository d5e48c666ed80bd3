import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import { ERRORS } from '../../../shared/errors.ts';
import type { Route } from '../../../shared/route.ts';
import { docsRoutes } from '../../../shared/routes/docs.ts';
import { everybody, implement, WRITTEN } from '../../http/implement.ts';
import { sessionCookieName } from '../session/cookie.ts';
import { DOCS_POLICY, docsPage, groupOf, type NamedRoute, needsPageHeader } from './page.ts';

const CACHE = 'public, max-age=300';

/** The contract for those who call it from elsewhere: a page, and an OpenAPI document. Both are made once, when first asked for. */
export async function apiDocs(app: FastifyInstance): Promise<void> {
  const { config, publicUrl } = app.gateway;
  const { version } = config;
  let page: string | undefined;
  let document: string | undefined;
  implement(app, everybody, docsRoutes.readApiDocs, ({ reply }) => {
    page ??= docsPage({ routes: documentedRoutes(), openApiPath: docsRoutes.readOpenApi.path, version });
    reply
      .headers({ 'cache-control': CACHE, 'content-security-policy': DOCS_POLICY })
      .type('text/html; charset=utf-8')
      .send(page);
    return WRITTEN;
  });
  implement(app, everybody, docsRoutes.readOpenApi, ({ reply }) => {
    document ??= JSON.stringify(openApiDocument({ publicUrl, version }));
    reply.header('cache-control', CACHE).type('application/json; charset=utf-8').send(document);
    return WRITTEN;
  });
}

/** A value of JSON, as far as this document builds one. */
type Json = string | number | boolean | TSchema | Json[] | { [name: string]: Json };

const ERROR_ANSWER = { $ref: '#/components/responses/Error' };

/** Every call, in the contract's order. */
function documentedRoutes(): NamedRoute[] {
  return Object.entries<Route>(contract).map(([name, route]) => ({ name, route }));
}

/**
 * The contract as an OpenAPI 3.1 document; TypeBox schemas are JSON Schema as they stand. `publicUrl`: origin that
 * browsers see.
 */
function openApiDocument({ publicUrl, version }: { publicUrl: URL; version: string }): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const { name, route } of documentedRoutes()) {
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: operationOf(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Plugin Square',
      version,
      description:
        'Every call of the marketplace. Failures answer the true HTTP status and an envelope with a stable code.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: publicUrl.origin }],
    tags: [...new Set(documentedRoutes().map(({ route }) => groupOf(route)))].map((name) => ({ name })),
    paths,
    components: {
      responses: {
        Error: {
          description: 'Refused or failed',
          content: { 'application/json': { schema: errorSchema() } },
        },
      },
      securitySchemes: securitySchemes(publicUrl),
    },
  };
}

function operationOf(operationId: string, route: Route): Json {
  const parameters = [...parametersOf(route.params, 'path'), ...parametersOf(route.query, 'query')];
  return {
    operationId,
    summary: route.summary,
    tags: [groupOf(route)],
    'x-access': route.access,
    ...(parameters.length > 0 && { parameters }),
    ...(route.body && { requestBody: requestBody(route, route.body) }),
    responses: { 200: successOf(route), default: ERROR_ANSWER },
    security: securityOf(route),
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

function requestBody(route: Route, schema: TSchema): Json {
  const type = route.multipart ? 'multipart/form-data' : 'application/json';
  return { required: true, content: { [type]: { schema } } };
}

function successOf({ data, successCode }: Route): Json {
  if (!data) return { description: 'A file, a page or a redirect' };
  const code = Type.Literal(successCode ?? 0);
  const schema = Type.Object({ code, message: Type.String(), data });
  return { description: 'Done', content: { 'application/json': { schema } } };
}

function errorSchema(): TSchema {
  return Type.Object({
    code: Type.Enum(Object.keys(ERRORS)),
    message: Type.String({ description: 'Safe to show; for logs and command lines.' }),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON pointer (RFC 6901)' }),
          message: Type.String(),
        }),
      ),
    ),
    data: Type.Optional(Type.Unknown({ description: 'With a conflict: who was faster, and with what.' })),
  });
}

function securitySchemes(publicUrl: URL): Json {
  return {
    session: {
      type: 'apiKey',
      in: 'cookie',
      name: sessionCookieName(publicUrl.protocol === 'https:'),
      description: 'The encrypted session of a browser that has signed in.',
    },
    page: {
      type: 'apiKey',
      in: 'header',
      name: REQUESTED_WITH_HEADER,
      description: `Always "${REQUESTED_WITH}": no foreign page can send it.`,
    },
    publishToken: {
      type: 'http',
      scheme: 'bearer',
      description: 'A token made on the page of one’s own plugins; it publishes and does nothing else.',
    },
  };
}

/** Alternatives, each a set of what must come together. */
function securityOf(route: Route): Json {
  const page = needsPageHeader(route) ? { page: [] } : {};
  const session = route.access === 'all' ? {} : { session: [] };
  return [{ ...page, ...session }, ...(route.publishToken ? [{ publishToken: [] }] : [])];
}

import { Protocol } from '../entities/text-blocks.ts';
import { route } from '../route.ts';

/** Texts of the gateway: the agreement and documentation. */
export const docsRoutes = {
  /** The user agreement (R 2.10). */
  readProtocol: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/protocol',
    access: 'all',
    summary: 'The text of the protocol page in the language of the request',
    data: Protocol,
  }),
  /** Documentation for plugin developers (R 2.22). */
  readDeveloperDocs: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/developer-docs',
    access: 'all',
    summary: 'The documentation for developers in the language of the request',
    data: Protocol,
  }),
  /** The contract as an OpenAPI document, for other clients. */
  readApiDocs: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/docs',
    access: 'all',
    file: true,
    summary: 'Every call, as a page',
  }),
  readOpenApi: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/openapi.json',
    access: 'all',
    file: true,
    summary: 'Every call, as an OpenAPI 3.1 document',
  }),
};

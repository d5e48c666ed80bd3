import { route } from '../route.ts';

/** The contract itself, for those who call it from elsewhere. */
export const docsRoutes = {
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

import { Protocol } from '../entities/protocol.ts';
import { route } from '../route.ts';

/** The documentation for those who write plugins (specification section 1). */
export const developerDocsRoutes = {
  readDeveloperDocs: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/developer-docs',
    access: 'all',
    summary: 'The documentation for developers in the language of the request',
    data: Protocol,
  }),
};

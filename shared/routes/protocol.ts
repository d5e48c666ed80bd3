import { Protocol } from '../entities/protocol.ts';
import { route } from '../route.ts';

/** The agreement between the site and those who use it (specification section 2). */
export const protocolRoutes = {
  readProtocol: route({
    service: 'gateway',
    method: 'GET',
    path: '/api/protocol',
    access: 'all',
    summary: 'The text of the protocol page in the language of the request',
    data: Protocol,
  }),
};

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { hasLocalAccounts } from '../sign-in/login-params.ts';
import { registerProxy } from './routes.ts';
import { proxyTable } from './table.ts';

/**
 * Calls of the contract that the services behind answer.
 * @throws Error when EXTRA_CMT_ROUTES holds something else than routes
 */
export const proxy = fp(
  async (app: FastifyInstance) => {
    const { config } = app.gateway;
    const table = proxyTable(config.extraCmtRoutes, {
      signInPage: app.userService !== undefined,
      members: hasLocalAccounts(config),
    });
    await registerProxy(app, table);
  },
  { name: 'proxy', dependencies: ['cache', 'csrf', 'requests', 'rate-limit', 'sign-in', 'upstreams'] },
);

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { authRoutes } from '../../../shared/routes/auth.ts';
import { authorizeRoutes } from '../../http/implement.ts';

/**
 * Authenticates the calls that the gateway answers itself; the proxy does that for the others, whose bearer it needs. After
 * rate limits and cache.
 */
export const access = fp(
  async (app: FastifyInstance) => {
    authorizeRoutes(app, async (route, request) => {
      if (route.service !== 'gateway' || route.access === 'all') return;
      // Without a session the user info has an answer of its own (R 8.9).
      const isUserInfo = route === authRoutes.readUserInfo;
      await request.authenticate(route.access, isUserInfo ? { absent: 'NO_LOCAL_SESSION' } : {});
    });
  },
  { name: 'access', dependencies: ['session'] },
);

import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import { appError } from '../../http/errors.ts';
import { noteSecurityEvent, recordOf } from '../log/record.ts';
import { csrfViolation, navigationViolation, requiresCsrfCheck } from './rules.ts';

/** Refuses calls that another site may have made in the name of who is signed in here (requirements 11 and 12). */
export const csrf = fp(
  async (app: FastifyInstance) => {
    const { gateway, metrics } = app;
    const { origin } = gateway.publicUrl;
    app.addHook('onRequest', (request, _reply, done) => {
      const isNavigation = request.routeOptions.config.route?.navigation === true;
      const isChecked = isNavigation || requiresCsrfCheck(request);
      const violation = isNavigation
        ? navigationViolation(request)
        : isChecked && csrfViolation(request, origin);
      recordOf(request).csrf = isChecked ? violation || 'passed' : 'not_needed';
      if (!violation) return done();
      metrics.countRefused(violation);
      noteSecurityEvent(request, 'csrf_refused', { reason: violation });
      throw appError('CSRF_REFUSED');
    });
  },
  { name: 'csrf', dependencies: ['gateway', 'metrics', 'publish-token', 'request-log', 'requests'] },
);

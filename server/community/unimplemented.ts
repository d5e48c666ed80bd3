import type { FastifyInstance } from 'fastify';
import { contract, type Operation } from '../../shared/contract.ts';
import type { Route } from '../../shared/route.ts';
import { appError } from '../http/errors.ts';
import { fastifyPath, type Guard } from '../http/implement.ts';

const OPERATIONS = [
  'reportPlugin',
  'listOwnReports',
  'listReports',
  'decideReport',
  'listAudits',
  'readAudit',
  'readAuditCode',
  'claimAudit',
  'decideAudit',
  'listManagedPlugins',
  'hidePlugin',
  'recommendPlugin',
  'orderRecommended',
  'setSilentInstall',
  'installDefaults',
  'addSlot',
  'disableSlot',
  'listSlots',
  'listActiveSlots',
  'listManagedBanners',
  'saveBanner',
  'deleteBanner',
  'orderBanners',
  'listQrCodes',
  'saveQrCode',
  'deleteQrCode',
  'readContact',
  'listTrail',
  'exportTrail',
  'readStatistics',
  'readIconFont',
  'saveIconFont',
  'readStockPhoto',
  'saveStockPhoto',
] as const satisfies Operation[];

/**
 * Calls of the contract that this release does not answer: access is decided as for every other, then 501, before
 * any body is read.
 */
export function unimplementedRoutes(app: FastifyInstance, guard: Guard): void {
  for (const operation of OPERATIONS) {
    const route: Route = contract[operation];
    app.route({
      method: route.method,
      url: fastifyPath(route.path),
      config: { route },
      onRequest: async (request) => {
        await guard(route, request);
        throw appError('NOT_IMPLEMENTED');
      },
      handler: () => {
        throw appError('NOT_IMPLEMENTED');
      },
    });
  }
}

import { Type } from 'typebox';
import { CatalogueChanges, InstalledState } from '../entities/client.ts';
import { HostName } from '../entities/host.ts';
import { route } from '../route.ts';

/** What a design tool asks about the plugins of its user, and about the catalogue. */
export const clientRoutes = {
  readInstalledState: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/user/state',
    access: 'user',
    client: true,
    scope: 'plugins:read',
    background: true,
    summary:
      'All that the caller has installed or tries, in one answer; 304 by its ETag while nothing has changed',
    query: Type.Object({
      /** Then each plugin is told in the newest version that works in it. */
      host: Type.Optional(HostName),
    }),
    data: InstalledState,
  }),
  readCatalogueChanges: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/plugin/changes',
    access: 'all',
    client: true,
    cache: 5,
    shared: 30,
    compress: true,
    summary:
      'Public plugins in the order of their last change, each once: those after a position, or all; it tells nothing of the caller',
    query: Type.Object({
      after: Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        default: 0,
        description: '`next` of the page before; without it, from the beginning',
      }),
      limit: Type.Integer({ minimum: 1, maximum: 1000, default: 500 }),
    }),
    data: CatalogueChanges,
  }),
  readPackage: route({
    service: 'community',
    method: 'GET',
    path: '/api/cmt/package/{sha256}',
    access: 'all',
    client: true,
    scope: 'plugins:read',
    file: true,
    sendsSession: true,
    summary:
      'A package by the SHA-256 of its content: public ones for everybody, others for who has them; 410 with the reason when it was withdrawn',
    params: Type.Object({ sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }) }),
  }),
};

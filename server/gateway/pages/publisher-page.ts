import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Check } from 'typebox/value';
import { PUBLISHER_PATH } from '../../../shared/constants.ts';
import { contract } from '../../../shared/contract.ts';
import { Handle } from '../../../shared/entities/publisher.ts';
import { isAppError } from '../../http/errors.ts';
import { publicTarget } from '../cache/plugin.ts';
import { pathOf, queryOf } from '../proxy/path.ts';
import { isObject, jsonObject } from '../upstream.ts';
import type { SendPage } from './render.ts';

/** The page of a publisher; one of a former handle leads on to the current one for good. */
export function publisherHandler(app: FastifyInstance, sendPage: SendPage): SendPage {
  const route = contract.readPublisher;
  /** Undefined if the service is away or does not know it: the page says so. */
  const currentOf = async (request: FastifyRequest, handle: string): Promise<unknown> => {
    const target = publicTarget(route, route.path, new URLSearchParams({ handle }));
    try {
      const { body } = await app.readPublic(request, {
        upstream: 'community',
        seconds: route.cache,
        target,
      });
      const { data } = jsonObject(body);
      return isObject(data) ? data.handle : undefined;
    } catch (error) {
      if (!isAppError(error)) throw error;
      return undefined;
    }
  };
  return async (request, reply) => {
    // No handle has an encoded character.
    const handle = pathOf(request.raw.url ?? '').slice(PUBLISHER_PATH.length);
    const current = Check(Handle, handle) ? await currentOf(request, handle) : undefined;
    if (typeof current !== 'string' || current === handle) return sendPage(request, reply);
    const path = `${PUBLISHER_PATH}${encodeURIComponent(current)}`;
    return reply.header('cache-control', 'no-cache').redirect(path + queryOf(request.raw.url ?? ''), 301);
  };
}

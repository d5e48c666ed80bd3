import { USER_SERVICE_TIMEOUT } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';

/** Milliseconds that another service has for a sign-in: less than the gateway waits for us, so that it hears the reason. */
export const PEER_TIMEOUT = USER_SERVICE_TIMEOUT - 2000;

/**
 * What work with another service results in, unless it takes longer than `limit` milliseconds.
 * @throws SERVICE_UNAVAILABLE when it does, and whatever the work throws
 */
export async function inTime<T>(limit: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(appError('SERVICE_UNAVAILABLE', { cause: new Error(`no answer within ${limit} ms`) }));
  }, limit);
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

import { operations } from 'virtual:operations';
import { COMMUNITY_TIMEOUT } from '../../shared/constants.ts';
import type { Operation } from '../../shared/contract.ts';
import { apiError, errorOfResponse } from './api-error.ts';
import type { Payload } from './call.ts';
import type { PayloadFor } from './client.ts';
import { requestOf } from './transport.ts';

/**
 * Fetches the file of an operation with the CSRF headers, which a plain link wouldn't send.
 * @throws ApiError
 */
export async function download<O extends Operation>(
  operation: O,
  payload: PayloadFor<O> & Payload,
): Promise<Blob> {
  const { path, init } = await requestOf(operations[operation], payload, location.pathname);
  const signal = AbortSignal.timeout(COMMUNITY_TIMEOUT);
  const answer = await fetch(path, { ...init, signal }).catch((error: unknown) => {
    throw apiError({ status: 0 }, error);
  });
  if (answer.ok) {
    return answer.blob().catch((error: unknown) => {
      throw apiError({ status: 0 }, error);
    });
  }
  throw errorOfResponse(answer.status, answer.headers, await answer.json().catch(() => undefined));
}

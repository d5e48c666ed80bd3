import { rootCertificates } from 'node:tls';
import type { Agent } from 'undici';
import { USER_SERVICE_TIMEOUT } from '../../../shared/constants.ts';
import { appError } from '../../http/errors.ts';
import { type Fetch, responseOf } from '../../http/fetch.ts';

/** Milliseconds that another service has for a sign-in: less than the gateway waits for us, so that it hears the reason. */
export const PEER_TIMEOUT = USER_SERVICE_TIMEOUT - 2000;
/** Far above any key set or token; an answer without end must not fill the memory. */
const ANSWER_BYTES = 1024 * 1024;

/**
 * A `fetch` for the services that people sign in with: time-limited (milliseconds), following no redirect. `ca` in PEM.
 * What it returns rejects with SERVICE_UNAVAILABLE when there is no answer.
 */
export function createPeerFetch({ ca, timeout }: { ca: string | undefined; timeout: number }): Fetch {
  let agent: Agent | undefined;
  return async (url, { method, headers, body }) => {
    // Where people sign in with accounts kept here, nobody is ever asked.
    const { Agent, request } = await import('undici');
    agent ??= new Agent({
      connect: { timeout, ...(ca !== undefined && { ca: [...rootCertificates, ca] }) },
      headersTimeout: timeout,
      bodyTimeout: timeout,
      maxResponseSize: ANSWER_BYTES,
    });
    try {
      const answer = await request(url, {
        dispatcher: agent,
        method: method === 'POST' ? 'POST' : 'GET',
        headers: Object.fromEntries(new Headers(headers)),
        ...(method === 'POST' && { body: String(body ?? '') }),
        signal: AbortSignal.timeout(timeout),
      });
      const { statusCode: status, headers: received } = answer;
      return responseOf({ status, headers: received, text: await answer.body.text() });
    } catch (error) {
      throw appError('SERVICE_UNAVAILABLE', { cause: error });
    }
  };
}

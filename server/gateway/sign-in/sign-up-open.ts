import type { FastifyInstance } from 'fastify';
import { isPrivate } from '../../../shared/deploy-types.ts';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { ask, isObject, jsonObject } from '../upstream/ask.ts';
import { hasLocalAccounts } from './login-params.ts';

/** Milliseconds that an answer counts, and that a failure does. */
const ANSWER_COUNTS = 60_000;
const FAILURE_COUNTS = 5000;
/** Milliseconds that the first page waits for it. */
const TIMEOUT = 2000;

/**
 * Tells whether visitors may make accounts for themselves, so that pages offer it. Our own identity service is asked: at
 * once the first time, later beside the requests; until it has answered, they may not. A user service of another make
 * says nothing of it: on public sites it is taken for open (specification section 2), on private ones for closed.
 */
export function createSignUpOpen({ gateway, upstreams }: FastifyInstance): () => Promise<boolean> {
  const { config, log, now } = gateway;
  if (!hasLocalAccounts(config)) return async () => !isPrivate(config.deployType);
  let isOpen = false;
  let due = Number.NEGATIVE_INFINITY;
  let asking: Promise<void> | undefined;

  async function refresh(): Promise<void> {
    const { method, path } = signInRoutes.readSignInOptions;
    try {
      const answer = await ask(upstreams.identity, { method, path, headers: {}, timeout: TIMEOUT });
      const { data } = jsonObject(answer.body);
      isOpen = answer.status === 200 && isObject(data) && data.sign_up === true;
      due = now() + ANSWER_COUNTS;
    } catch (error) {
      due = now() + FAILURE_COUNTS;
      log.warn({ err: error }, 'sign-up setting request failed');
    }
    asking = undefined;
  }
  return async () => {
    const isFirst = due === Number.NEGATIVE_INFINITY;
    if (Math.abs(due - now()) > ANSWER_COUNTS || due <= now()) asking ??= refresh();
    if (isFirst) await asking;
    return isOpen;
  };
}

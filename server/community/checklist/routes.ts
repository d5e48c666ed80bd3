import type { FastifyInstance } from 'fastify';
import { Check } from 'typebox/value';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { createOutgoingFetch } from '../../http/outgoing.ts';
import type { Guards } from '../auth/guard.ts';
import type { Db } from '../schema.ts';
import { readFilled } from './store.ts';

/** Milliseconds that the user service has to tell whether it sends mails. */
const TIMEOUT = 2000;

type Options = {
  db: Db;
  /** The user service's base; empty where there is none to ask. */
  identityUrl: string;
  ca: string | undefined;
  /** Whether the protocol page shows the deployment's own texts; null where another program serves it. */
  hasOwnProtocol: boolean | null;
};

/** What of a site administrators have filled, and what is still empty. */
export function checklistRoutes(app: FastifyInstance, guards: Guards, options: Options): void {
  const { db, identityUrl, ca, hasOwnProtocol } = options;
  const send = createOutgoingFetch({ ca, timeout: TIMEOUT });
  implement(app, guards.admin, contract.readChecklist, async () => {
    const [filled, mail] = await Promise.all([readFilled(db), sendsMail(send, identityUrl)]);
    return { ...filled, protocol: hasOwnProtocol, mail };
  });
}

/**
 * Our own user service tells it with the way to a forgotten password. Null when nobody has a password there, it is of
 * another make, or away.
 */
async function sendsMail(
  send: ReturnType<typeof createOutgoingFetch>,
  identityUrl: string,
): Promise<boolean | null> {
  if (identityUrl === '') return null;
  const { path, data: schema } = contract.readSignInOptions;
  try {
    const response = await send(`${identityUrl}${path}`, {
      method: 'GET',
      headers: { accept: 'application/json' },
    });
    const answer: unknown = await response.json();
    const data: unknown = Object(answer).data;
    if (!response.ok || !Check(schema, data) || data.reset === null) return null;
    return data.reset === 'mail';
  } catch {
    return null;
  }
}

import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { UNSUBSCRIBE_PATH } from '../../shared/notice.ts';
import { mailPreferenceRoutes } from '../../shared/routes/notice.ts';
import { appError } from '../http/errors.ts';
import { hasLocalAccounts } from './sign-in/login-params.ts';
import { callUpstream } from './upstream.ts';

const BODY_BYTES = 4096;
const Query = Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }) });

/** One-click unsubscribe (RFC 8058). The token in the URL authorizes the call, so there is no CSRF check. */
export async function unsubscribe(scope: FastifyInstance): Promise<void> {
  const { gateway, upstreams } = scope;
  if (!hasLocalAccounts(gateway.config)) return;
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, async () => undefined);
  scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
    await request.consume('anonymous');
    if (!Check(Query, request.query)) throw appError('MAIL_LINK_INVALID');
    const { token } = request.query;
    const { method, path } = mailPreferenceRoutes.unsubscribe;
    const headers = { 'content-type': 'application/json' };
    const { status } = await callUpstream(upstreams.identity, {
      method,
      path,
      headers,
      body: JSON.stringify({ token }),
    });
    if (status !== 200) throw appError('MAIL_LINK_INVALID');
    return reply.code(204).send();
  });
}

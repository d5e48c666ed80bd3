import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { UNSUBSCRIBE_PATH } from '../../shared/notice.ts';
import { mailPreferenceRoutes } from '../../shared/routes/mail-preferences.ts';
import { appError } from '../http/errors.ts';
import type { Consume } from './limits/limit-requests.ts';
import { ask } from './upstream/ask.ts';
import type { Upstream } from './upstream/upstream.ts';

const BODY_BYTES = 4096;
const Query = Type.Object({ token: Type.String({ minLength: 1, maxLength: 400 }) });

/**
 * Mail programs end mails by a POST to the address in `List-Unsubscribe`, without a page, cookies or a script (RFC 8058).
 * The token in it is all that counts, so no proof of a page of this site is asked for.
 */
export async function registerUnsubscribe(
  app: FastifyInstance,
  { identity, consume }: { identity: Upstream; consume: Consume },
): Promise<void> {
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: BODY_BYTES }, (_request, _body, done) =>
      done(null),
    );
    scope.post(UNSUBSCRIBE_PATH, async (request, reply) => {
      await consume(request, 'anonymous');
      const { query } = request;
      if (!Check(Query, query)) throw appError('MAIL_LINK_INVALID');
      const { method, path } = mailPreferenceRoutes.unsubscribe;
      const headers = { 'content-type': 'application/json' };
      const answer = await ask(identity, {
        method,
        path,
        headers,
        body: JSON.stringify({ token: query.token }),
      });
      if (answer.status !== 200) throw appError('MAIL_LINK_INVALID');
      return reply.code(204).send();
    });
  });
}

import type { FastifyInstance } from 'fastify';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { type Guard, implement, WRITTEN } from '../../http/implement.ts';
import type { IdentityContext } from '../context.ts';
import { beginSso } from './begin.ts';
import { callbackUrl } from './callback-url.ts';
import { finishSso } from './finish.ts';
import { redirectMethod } from './redirect-method.ts';

/** Bytes of a form that another sign-in page has browsers post: a signed response with many attributes fits in. */
const FORM_BYTES = 256 * 1024;

/** The ways to other sign-in pages and back. */
export async function serveSso(
  app: FastifyInstance,
  openOnly: Guard,
  identity: IdentityContext,
): Promise<void> {
  implement(app, openOnly, signInRoutes.beginSso, beginSso(identity));
  implement(app, openOnly, signInRoutes.finishSso, ({ params, request, reply }) =>
    finishSso(identity, { source: params.source, request, reply, form: undefined }),
  );
  implement(app, openOnly, signInRoutes.readSsoMetadata, ({ params, reply }) => {
    const document = redirectMethod(identity.methods, params.source)?.metadata?.(
      callbackUrl(identity.publicUrl, params.source),
    );
    if (!document) throw appError('NOT_FOUND');
    reply.type(document.type).send(document.text);
    return WRITTEN;
  });
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      (_request, text, done) => done(null, text),
    );
    implement(scope, openOnly, signInRoutes.finishSsoByForm, ({ params, request, reply }) => {
      const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '');
      return finishSso(identity, { source: params.source, request, reply, form });
    });
  });
}

import type { FastifyInstance } from 'fastify';
import { NOTICE_KINDS, type NoticeKind } from '../../../shared/notice.ts';
import { noticeMailCalls } from '../../../shared/user-service.ts';
import { answerAnyone } from '../calls/answer.ts';
import type { IdentityContext } from '../context.ts';
import { insertNoticeMails } from './store.ts';

const isKind = (kind: string): kind is NoticeKind => NOTICE_KINDS.some((known) => known === kind);

/** The queue of mails, as the marketplace fills it. */
export function serveNoticeMails(app: FastifyInstance, identity: IdentityContext): void {
  answerAnyone(app, noticeMailCalls.take, async ({ body }) => {
    const { db, mailer, now } = identity;
    // Of a kind that a later release knows nothing can be said.
    const mails = body.mail_list.flatMap(({ kind, created_at, ...mail }) =>
      isKind(kind) ? [{ ...mail, kind, created_at: new Date(created_at) }] : [],
    );
    if (mailer && mails.length > 0) await insertNoticeMails(db, mails, new Date(now()));
    return { taken: body.mail_list.length };
  });
}

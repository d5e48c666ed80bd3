import { Readable } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { contract } from '../../../shared/contract.ts';
import { accountCalls } from '../../../shared/identity-calls.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { bearerIn } from '../../http/authentication.ts';
import { implement } from '../../http/implement.ts';
import { implementForm } from '../files/forms/implement-form.ts';
import { ONE_PICTURE, storeUploadedPicture } from '../files/media/pictures.ts';
import { insertPictures } from '../files/media/store.ts';
import { languageOf } from '../language.ts';
import { callerOf } from '../people/auth/caller.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { EXPORTED } from './export-store.ts';
import { insertPersonPicture, readHoldings } from './store.ts';

/** Identity's part of the export is copied unchanged. */
const AccountPart = Type.Record(Type.String(), Type.Unknown());

/** Profile pictures, the data of an account before its deletion, and its export. */
export function accountsRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir, identityClient: ask, clock: now } = app;
  implementForm(
    app,
    contract.uploadAvatar,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ files, request, signal }) => {
      const { user_id: userId } = callerOf(request);
      const picture = await storeUploadedPicture(pictures, files.picture[0], { userId, signal });
      if (!picture) throw refusedAt('/picture', 'must not be missing');
      await db.transaction().execute(async (trx) => {
        await insertPictures(trx, [picture]);
        await insertPersonPicture(trx, userId, picture.key);
      });
      return { avatar_url: pictureUrl(picture.key, Math.min(...picture.widths)) };
    },
  );
  implement(app, contract.readHoldings, ({ request }) =>
    readHoldings(db, {
      userId: callerOf(request).user_id,
      language: languageOf(request),
      at: new Date(now()),
    }),
  );
  implement(app, contract.exportAccount, async ({ body, request, reply }) => {
    const { user_id: userId } = callerOf(request);
    const bearer = bearerIn(request) ?? '';
    const account = await ask(accountCalls.export, AccountPart, { bearer, body, request });
    reply
      .type('application/json; charset=utf-8')
      .header('content-disposition', 'attachment; filename="account.json"')
      .header('cache-control', 'no-store')
      .header('x-content-type-options', 'nosniff')
      .send(Readable.from(exportText(db, { userId, account, at: new Date(now()) })));
    return undefined;
  });
}

const PAGE_ROWS = 200;

/** Streams the export as JSON page by page, with constant memory. */
async function* exportText(
  db: Db,
  { userId, account, at }: { userId: number; account: unknown; at: Date },
): AsyncGenerator<string> {
  const head = { format: 'plugin-square-account', format_version: 1, exported_at: at.toISOString(), account };
  yield JSON.stringify(head, null, 2).slice(0, -2);
  for (const [name, read] of Object.entries(EXPORTED)) {
    yield `,\n  ${JSON.stringify(name)}: [`;
    let between = '\n';
    for (let after = 0; ; ) {
      const rows = await read(db, { userId, after, limit: PAGE_ROWS });
      for (const { content } of rows) {
        yield `${between}    ${JSON.stringify(content)}`;
        between = ',\n';
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE_ROWS) break;
      after = last.place;
    }
    yield between === '\n' ? ']' : '\n  ]';
  }
  yield '\n}\n';
}

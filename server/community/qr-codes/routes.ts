import type { FastifyInstance } from 'fastify';
import { contract } from '../../../shared/contract.ts';
import { implement } from '../../http/implement.ts';
import { callerOf } from '../auth/caller.ts';
import type { Guards } from '../auth/guard.ts';
import { implementForm } from '../forms/implement-form.ts';
import type { Pictures } from '../media/pictures.ts';
import { keepUploaded, ONE_PICTURE } from '../media/uploaded-picture.ts';
import { neededText } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { deleteQrCode, saveQrCode, toQrCode } from './qr-codes.ts';
import { readContactRow, readQrCodeRows } from './store.ts';

/** QR codes; one of them is the picture by which people join the feedback group (specification section 3). */
export function qrCodesRoutes(
  app: FastifyInstance,
  guards: Guards,
  { db, pictures, dataDir }: { db: Db; pictures: Pictures; dataDir: string },
): void {
  implement(app, guards.admin, contract.listQrCodes, async () => ({
    qr_code_list: (await readQrCodeRows(db)).map(toQrCode),
  }));
  implementForm(
    app,
    guards.admin,
    contract.saveQrCode,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields: { id, name, is_contact }, files, request, gone }) => {
      const checked = { id, name: name === undefined ? undefined : neededText(name, '/name'), is_contact };
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal: gone };
      const picture = await keepUploaded(pictures, files.picture[0], { ...turn, role: 'code' });
      return saveQrCode(db, { ...checked, picture }, caller);
    },
  );
  implement(app, guards.admin, contract.deleteQrCode, async ({ body, request }) => {
    await deleteQrCode(db, body.id, callerOf(request));
    return {};
  });
  implement(app, guards.all, contract.readContact, async () => {
    const row = await readContactRow(db);
    return { qr_code: row ? toQrCode(row) : null };
  });
}

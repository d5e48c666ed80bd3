import type { FastifyInstance } from 'fastify';
import { contract } from '../../../../shared/contract.ts';
import type { QrCode } from '../../../../shared/entities/site.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { appError } from '../../../http/errors.ts';
import { implement } from '../../../http/implement.ts';
import { implementForm } from '../../files/forms/implement-form.ts';
import { ONE_PICTURE, type StoredPicture, storeUploadedPicture } from '../../files/media/pictures.ts';
import { insertPictures } from '../../files/media/store.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import { type Caller, callerOf } from '../../people/auth/caller.ts';
import { refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import {
  deleteQrCodeRow,
  insertQrCode,
  lockQrCodes,
  type QrCodeRow,
  readContactRow,
  readQrCodeRow,
  readQrCodeRows,
  setContact,
  updateQrCode,
} from './store.ts';

type QrCodeForm = {
  id: number | undefined;
  name: string | undefined;
  is_contact: boolean | undefined;
  picture: StoredPicture | undefined;
};

/**
 * Adds a QR code, or changes the given fields of the one with this id. The first one becomes the contact by default; a new
 * contact replaces the old one.
 * @throws NOT_FOUND; VALIDATION_FAILED for a new one without name or picture, and for a name that is taken
 */
async function saveQrCode(db: Db, form: QrCodeForm, caller: Caller): Promise<QrCode> {
  return db.transaction().execute(async (trx) => {
    await lockQrCodes(trx);
    const known = await readQrCodeRows(trx);
    const former = known.find((row) => row.id === form.id);
    if (form.id !== undefined && !former) throw appError('NOT_FOUND');
    if (known.some((row) => row.name === form.name && row.id !== form.id)) {
      throw refusedAt('/name', 'is the name of another QR code');
    }
    if (form.picture) await insertPictures(trx, [form.picture]);
    const id = former ? await change(trx, former.id, form) : await add(trx, form);
    const isContact = form.is_contact ?? (former?.is_contact || known.length === 0);
    if (isContact) await setContact(trx, id);
    else if (former?.is_contact) await setContact(trx, null);
    const row = await readQrCodeRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    await recordQrCodeChange(trx, former ? 'qr_code.change' : 'qr_code.add', row, caller);
    return toQrCode(row);
  });
}

/**
 * Deletes a QR code; the sweep removes its picture. No other one becomes the contact.
 * @throws NOT_FOUND
 */
async function deleteQrCode(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockQrCodes(trx);
    const row = await readQrCodeRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    await deleteQrCodeRow(trx, id);
    await recordQrCodeChange(trx, 'qr_code.delete', row, caller);
  });
}

function toQrCode({ id, name, img_url, picture, is_contact }: QrCodeRow): QrCode {
  const address = picture ? pictureUrl(picture.key, Math.max(...picture.widths)) : img_url;
  return { id, name, img_url: address, is_contact };
}

function add(db: Db, { name, picture }: QrCodeForm): Promise<number> {
  if (name === undefined) throw refusedAt('/name', 'must not be empty');
  if (!picture) throw refusedAt('/picture', 'must not be empty');
  return insertQrCode(db, { name, picture_key: picture.key });
}

async function change(db: Db, id: number, { name, picture }: QrCodeForm): Promise<number> {
  await updateQrCode(db, id, { name: name ?? null, picture_key: picture?.key ?? null });
  return id;
}

async function recordQrCodeChange(db: Db, action: string, row: QrCodeRow, caller: Caller): Promise<void> {
  await recordChange(db, caller, {
    action,
    targetKind: 'qr_code',
    targetId: row.id,
    targetName: row.name,
    detail: { is_contact: row.is_contact, picture: row.picture?.key ?? null },
  });
}

/** QR codes; the contact one is for joining the feedback group (R 4.12). */
export function qrCodesRoutes(app: FastifyInstance): void {
  const { db, pictures, dataDir } = app;
  implement(app, contract.listQrCodes, async () => ({
    qr_code_list: (await readQrCodeRows(db)).map(toQrCode),
  }));
  implementForm(
    app,
    contract.saveQrCode,
    { dataDir, files: { picture: ONE_PICTURE } },
    async ({ fields: { id, name, is_contact }, files, request, signal }) => {
      const checked = { id, name: name === undefined ? undefined : requiredText(name, '/name'), is_contact };
      const caller = callerOf(request);
      const turn = { userId: caller.user_id, signal };
      const picture = await storeUploadedPicture(pictures, files.picture[0], { ...turn, role: 'code' });
      return saveQrCode(db, { ...checked, picture }, caller);
    },
  );
  implement(app, contract.deleteQrCode, async ({ body, request }) => {
    await deleteQrCode(db, body.id, callerOf(request));
    return {};
  });
  implement(app, contract.readContact, async () => {
    const row = await readContactRow(db);
    return { qr_code: row ? toQrCode(row) : null };
  });
}

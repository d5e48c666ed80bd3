import type { QrCode } from '../../../shared/entities/site.ts';
import { pictureUrl } from '../../../shared/media.ts';
import { appError } from '../../http/errors.ts';
import type { Caller } from '../auth/caller.ts';
import type { KeptPicture } from '../media/prepare-picture.ts';
import { insertPictures } from '../media/store.ts';
import { rememberPerson } from '../people/store.ts';
import { refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import {
  deleteQrCodeRow,
  insertQrCode,
  lockQrCodes,
  type QrCodeRow,
  readQrCodeRow,
  readQrCodeRows,
  setContact,
  updateQrCode,
} from './store.ts';

export type QrCodeForm = {
  id: number | undefined;
  name: string | undefined;
  is_contact: boolean | undefined;
  picture: KeptPicture | undefined;
};

/**
 * Adds a QR code, or changes the one of this id. The first one is the contact unless that is denied; a new contact takes
 * the place of the old one.
 * @throws NOT_FOUND; VALIDATION_FAILED for a new one without name or picture, and for a name that is taken
 */
export async function saveQrCode(db: Db, form: QrCodeForm, caller: Caller): Promise<QrCode> {
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
    await note(trx, former ? 'qr_code.change' : 'qr_code.add', row, caller);
    return toQrCode(row);
  });
}

/**
 * Deletes a QR code; its picture is left to the sweep. No other one becomes the contact in its place.
 * @throws NOT_FOUND
 */
export async function deleteQrCode(db: Db, id: number, caller: Caller): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockQrCodes(trx);
    const row = await readQrCodeRow(trx, id);
    if (!row) throw appError('NOT_FOUND');
    await deleteQrCodeRow(trx, id);
    await note(trx, 'qr_code.delete', row, caller);
  });
}

/** A row as the wire has it, its picture at its widest. */
export function toQrCode({ id, name, img_url, picture, is_contact }: QrCodeRow): QrCode {
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

async function note(db: Db, action: string, row: QrCodeRow, caller: Caller): Promise<void> {
  await rememberPerson(db, caller);
  await writeTrail(db, {
    actorId: caller.user_id,
    action,
    targetKind: 'qr_code',
    targetId: row.id,
    targetName: row.name,
    detail: { is_contact: row.is_contact, picture: row.picture?.key ?? null },
  });
}

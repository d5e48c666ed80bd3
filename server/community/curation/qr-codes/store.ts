import { sql } from 'kysely';
import type { Picture } from '../../../../shared/entities/plugin.ts';
import { pictureOf } from '../../catalogue/plugins/card-store.ts';
import type { Db } from '../../schema.ts';

export type QrCodeRow = {
  id: number;
  name: string;
  /** Address of an external picture, or an empty text. */
  img_url: string;
  picture: Picture | null;
  is_contact: boolean;
};

const qrCodes = sql`
  select id, name, img_url, is_contact, ${pictureOf('q.picture_key')} as picture from qr_code q`;

export async function readQrCodeRows(db: Db): Promise<QrCodeRow[]> {
  const { rows } = await sql<QrCodeRow>`${qrCodes} order by is_contact desc, id`.execute(db);
  return rows;
}

export async function readQrCodeRow(db: Db, id: number): Promise<QrCodeRow | undefined> {
  const { rows } = await sql<QrCodeRow>`${qrCodes} where id = ${id}`.execute(db);
  return rows[0];
}

export async function readContactRow(db: Db): Promise<QrCodeRow | undefined> {
  const { rows } = await sql<QrCodeRow>`${qrCodes} where is_contact`.execute(db);
  return rows[0];
}

/** Serializes changes of names and of the contact. */
export async function lockQrCodes(db: Db): Promise<void> {
  await sql`lock table qr_code in share row exclusive mode`.execute(db);
}

export async function insertQrCode(
  db: Db,
  { name, picture_key }: { name: string; picture_key: string },
): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    insert into qr_code (name, picture_key) values (${name}, ${picture_key}) returning id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('insert returned no id');
  return row.id;
}

/** Null fields stay as they are; a stored picture replaces an external address. */
export async function updateQrCode(
  db: Db,
  id: number,
  { name, picture_key }: { name: string | null; picture_key: string | null },
): Promise<void> {
  await sql`
    update qr_code set name = coalesce(${name}, name), picture_key = coalesce(${picture_key}, picture_key),
        img_url = case when ${picture_key}::text is null then img_url else '' end
      where id = ${id}`.execute(db);
}

/** Makes one QR code the only contact; null removes the contact. */
export async function setContact(db: Db, id: number | null): Promise<void> {
  await sql`update qr_code set is_contact = false where is_contact and id is distinct from ${id}`.execute(db);
  await sql`update qr_code set is_contact = true where id = ${id} and not is_contact`.execute(db);
}

export async function deleteQrCodeRow(db: Db, id: number): Promise<void> {
  await sql`delete from qr_code where id = ${id}`.execute(db);
}

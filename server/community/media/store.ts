import type { Picture } from '../../../shared/entities/plugin.ts';
import type { Db } from '../schema.ts';

/** Writes the row of a picture whose files are durable; a picture that is known stays as it is. */
export async function insertPicture(db: Db, { key, width, height, widths }: Picture): Promise<void> {
  await db
    .insertInto('picture')
    .values({ picture_key: key, width, height, widths })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

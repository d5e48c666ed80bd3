import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { Sealer } from '../../sealing/seal.ts';
import type { Caller } from '../auth/caller.ts';
import { rememberPerson } from '../people/store.ts';
import { neededText, refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { writeTrail } from '../trail/store.ts';
import { masked } from './mask.ts';
import { readSetting, writeSetting } from './store.ts';

/** What keeping secrets takes; times in milliseconds since 1970. */
export type Keeping = { db: Db; sealer: Sealer; now: () => number };

const IconFont = Type.Object({ client_id: Type.String(), client_secret_masked: Type.String() });
const StockPhoto = Type.Object({ api_key_masked: Type.String() });

export async function readIconFont({ db }: Keeping): Promise<Static<typeof IconFont>> {
  return known(await readSetting(db, 'icon_font'), IconFont) ?? { client_id: '', client_secret_masked: '' };
}

/**
 * Replaces the icon-font account. Its secret is sealed and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveIconFont(
  keeping: Keeping,
  body: { client_id: string; client_secret: string },
  caller: Caller,
): Promise<Static<typeof IconFont>> {
  const client_id = neededText(body.client_id, '/client_id');
  const secret = checkedSecret(body.client_secret, '/client_secret');
  const value = { client_id, client_secret_masked: masked(secret) };
  await save(keeping, { name: 'icon_font', value, secret, detail: { client_id } }, caller);
  return value;
}

export async function readStockPhoto({ db }: Keeping): Promise<Static<typeof StockPhoto>> {
  return known(await readSetting(db, 'stock_photo'), StockPhoto) ?? { api_key_masked: '' };
}

/**
 * Replaces the stock-photo account. Its key is sealed and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveStockPhoto(
  keeping: Keeping,
  body: { api_key: string },
  caller: Caller,
): Promise<Static<typeof StockPhoto>> {
  const secret = checkedSecret(body.api_key, '/api_key');
  const value = { api_key_masked: masked(secret) };
  await save(keeping, { name: 'stock_photo', value, secret, detail: {} }, caller);
  return value;
}

type Account = {
  name: 'icon_font' | 'stock_photo';
  value: Record<string, string>;
  secret: string;
  detail: Record<string, string>;
};

async function save(
  { db, sealer, now }: Keeping,
  { name, value, secret, detail }: Account,
  caller: Caller,
): Promise<void> {
  const sealed = sealer.seal(secret, name);
  await db.transaction().execute(async (trx) => {
    await writeSetting(trx, { name, value, sealed, by: caller.user_id, at: new Date(now()) });
    await rememberPerson(trx, caller);
    const target = { targetKind: 'setting', targetId: name, targetName: name };
    await writeTrail(trx, { actorId: caller.user_id, action: `${name}.save`, ...target, detail });
  });
}

/** A form that is saved as it was shown sends the mask back, which no secret looks like. */
function checkedSecret(text: string, pointer: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]+$/.test(secret)) throw refusedAt(pointer, 'must be visible ASCII characters');
  return secret;
}

function known<S extends TSchema>(value: unknown, schema: S): Static<S> | undefined {
  return Check(schema, value) ? value : undefined;
}

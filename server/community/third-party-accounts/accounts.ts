import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { DataOf } from '../../../shared/route.ts';
import type { settingsRoutes } from '../../../shared/routes/settings.ts';
import { createEncryptor, type Encryptor } from '../../encryption/encryptor.ts';
import { loadKeys } from '../../encryption/keys.ts';
import type { Caller } from '../auth/caller.ts';
import { neededText, refusedAt } from '../plain-text.ts';
import type { Db } from '../schema.ts';
import { recordChange } from '../trail/store.ts';
import { readSetting, writeSetting } from './store.ts';

export type AccountName = 'icon_font' | 'stock_photo';

/** What keeping secrets takes; times in milliseconds since 1970. */
export type Keeping = {
  db: Db;
  encryptor: Encryptor;
  now: () => number;
  /** What a page is told of an account beside what was saved. */
  stateOf: (name: AccountName) => { test_host: string; has_readers: boolean };
};

/** The file in the data folder that holds the key of these secrets. */
const KEYS_FILE = 'account-keys';

/** Encrypts these secrets, by a key that is made when it is first needed. */
export function loadAccountEncryptor(dataDir: string): Encryptor {
  return createEncryptor(loadKeys({ configured: [], dataDir, fileName: KEYS_FILE }), 'third-party accounts');
}

type View<O extends keyof typeof settingsRoutes> = DataOf<(typeof settingsRoutes)[O]>;

const IconFont = Type.Object({ client_id: Type.String(), client_secret_masked: Type.String() });
const StockPhoto = Type.Object({ api_key_masked: Type.String() });

export async function readIconFont({ db, stateOf }: Keeping): Promise<View<'readIconFont'>> {
  const saved = known((await readSetting(db, 'icon_font'))?.value, IconFont);
  return { ...(saved ?? { client_id: '', client_secret_masked: '' }), ...stateOf('icon_font') };
}

/**
 * Replaces the icon-font account. Its secret is encrypted and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveIconFont(
  keeping: Keeping,
  body: { client_id: string; client_secret: string },
  caller: Caller,
): Promise<View<'saveIconFont'>> {
  const client_id = neededText(body.client_id, '/client_id');
  const secret = checkedSecret(body.client_secret, '/client_secret');
  const value = { client_id, client_secret_masked: masked(secret) };
  await save(keeping, { name: 'icon_font', value, secret, detail: { client_id } }, caller);
  return { ...value, ...keeping.stateOf('icon_font') };
}

export async function readStockPhoto({ db, stateOf }: Keeping): Promise<View<'readStockPhoto'>> {
  const saved = known((await readSetting(db, 'stock_photo'))?.value, StockPhoto);
  return { ...(saved ?? { api_key_masked: '' }), ...stateOf('stock_photo') };
}

/**
 * Replaces the stock-photo account. Its key is encrypted and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveStockPhoto(
  keeping: Keeping,
  body: { api_key: string },
  caller: Caller,
): Promise<View<'saveStockPhoto'>> {
  const secret = checkedSecret(body.api_key, '/api_key');
  const value = { api_key_masked: masked(secret) };
  await save(keeping, { name: 'stock_photo', value, secret, detail: {} }, caller);
  return { ...value, ...keeping.stateOf('stock_photo') };
}

/** An account with its secret, or why there is none: never saved, or saved under a key that is no longer there. */
export type OpenedAccount =
  | { state: 'opened'; clientId: string; secret: string; updatedAt: Date }
  | { state: 'not_saved' | 'not_opened' };

/** Opens an account's secret: for a service that may read it, or to ask the vendor with. Never for a page. */
export async function openAccount(
  { db, encryptor }: Pick<Keeping, 'db' | 'encryptor'>,
  name: AccountName,
): Promise<OpenedAccount> {
  const saved = await readSetting(db, name);
  if (!saved?.sealed) return { state: 'not_saved' };
  const secret = encryptor.decrypt(saved.sealed.toString(), name);
  if (secret === undefined) return { state: 'not_opened' };
  const clientId = known(saved.value, IconFont)?.client_id ?? '';
  return { state: 'opened', clientId, secret, updatedAt: saved.updated_at };
}

type Account = {
  name: AccountName;
  value: Record<string, string>;
  secret: string;
  detail: Record<string, string>;
};

async function save(
  { db, encryptor, now }: Keeping,
  { name, value, secret, detail }: Account,
  caller: Caller,
): Promise<void> {
  const sealed = encryptor.encrypt(secret, name);
  await db.transaction().execute(async (trx) => {
    await writeSetting(trx, { name, value, sealed, by: caller.user_id, at: new Date(now()) });
    const target = { targetKind: 'setting', targetId: name, targetName: name };
    await recordChange(trx, caller, { action: `${name}.save`, ...target, detail });
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

const DOTS = '\u2022'.repeat(8);
const SHOWN = 4;
/** Four characters of a shorter secret would tell too much of it. */
const SHOWN_FROM = 16;

/** What is shown of a secret: its end, to tell it from another; not its length. */
function masked(secret: string): string {
  return DOTS + (secret.length >= SHOWN_FROM ? secret.slice(-SHOWN) : '');
}

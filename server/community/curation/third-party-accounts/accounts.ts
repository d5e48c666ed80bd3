import { type Static, type TSchema, Type } from 'typebox';
import { Check } from 'typebox/value';
import type { DataOf } from '../../../../shared/route.ts';
import type { settingsRoutes } from '../../../../shared/routes/settings.ts';
import type { Encryptor } from '../../../encryption/encryptor.ts';
import { recordChange } from '../../people/audit-log/store.ts';
import type { Caller } from '../../people/auth/caller.ts';
import { refusedAt, requiredText } from '../../plain-text.ts';
import type { Db } from '../../schema.ts';
import { readSetting, writeSetting } from './store.ts';

export type AccountName = 'icon_font' | 'stock_photo';

export type AccountContext = {
  db: Db;
  encryptor: Encryptor;
  /** Milliseconds since 1970. */
  now: () => number;
  /** The state of an account that is not stored. */
  stateOf: (name: AccountName) => { test_host: string; has_readers: boolean };
};

type View<O extends keyof typeof settingsRoutes> = DataOf<(typeof settingsRoutes)[O]>;

const IconFont = Type.Object({ client_id: Type.String(), client_secret_masked: Type.String() });
const StockPhoto = Type.Object({ api_key_masked: Type.String() });

export async function readIconFont({ db, stateOf }: AccountContext): Promise<View<'readIconFont'>> {
  const saved = parseValue((await readSetting(db, 'icon_font'))?.value, IconFont);
  return { ...(saved ?? { client_id: '', client_secret_masked: '' }), ...stateOf('icon_font') };
}

/**
 * Replaces the icon-font account. Its secret is encrypted and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveIconFont(
  context: AccountContext,
  body: { client_id: string; client_secret: string },
  caller: Caller,
): Promise<View<'saveIconFont'>> {
  const client_id = requiredText(body.client_id, '/client_id');
  const secret = validateSecret(body.client_secret, '/client_secret');
  const value = { client_id, client_secret_masked: maskSecret(secret) };
  await save(context, { name: 'icon_font', value, secret, detail: { client_id } }, caller);
  return { ...value, ...context.stateOf('icon_font') };
}

export async function readStockPhoto({ db, stateOf }: AccountContext): Promise<View<'readStockPhoto'>> {
  const saved = parseValue((await readSetting(db, 'stock_photo'))?.value, StockPhoto);
  return { ...(saved ?? { api_key_masked: '' }), ...stateOf('stock_photo') };
}

/**
 * Replaces the stock-photo account. Its key is encrypted and never read back.
 * @throws VALIDATION_FAILED
 */
export async function saveStockPhoto(
  context: AccountContext,
  body: { api_key: string },
  caller: Caller,
): Promise<View<'saveStockPhoto'>> {
  const secret = validateSecret(body.api_key, '/api_key');
  const value = { api_key_masked: maskSecret(secret) };
  await save(context, { name: 'stock_photo', value, secret, detail: {} }, caller);
  return { ...value, ...context.stateOf('stock_photo') };
}

/** An account with its decrypted secret, or why there is none: not saved, or encrypted with a missing key. */
export type OpenedAccount =
  | { state: 'opened'; clientId: string; secret: string; updatedAt: Date }
  | { state: 'not_saved' | 'not_opened' };

/** Decrypts an account's secret, for an authorized service or a connection test; never for a page. */
export async function openAccount(
  { db, encryptor }: Pick<AccountContext, 'db' | 'encryptor'>,
  name: AccountName,
): Promise<OpenedAccount> {
  const saved = await readSetting(db, name);
  if (!saved?.sealed) return { state: 'not_saved' };
  const secret = encryptor.decrypt(saved.sealed.toString(), name);
  if (secret === undefined) return { state: 'not_opened' };
  const clientId = parseValue(saved.value, IconFont)?.client_id ?? '';
  return { state: 'opened', clientId, secret, updatedAt: saved.updated_at };
}

type Account = {
  name: AccountName;
  value: Record<string, string>;
  secret: string;
  detail: Record<string, string>;
};

async function save(
  { db, encryptor, now }: AccountContext,
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

/** A form that was not edited sends the mask back, which is not ASCII. */
function validateSecret(text: string, pointer: string): string {
  const secret = text.trim();
  if (!/^[\x21-\x7e]+$/.test(secret)) throw refusedAt(pointer, 'must be visible ASCII characters');
  return secret;
}

function parseValue<S extends TSchema>(value: unknown, schema: S): Static<S> | undefined {
  return Check(schema, value) ? value : undefined;
}

const DOTS = '\u2022'.repeat(8);
const VISIBLE = 4;
/** Four characters of a shorter secret would reveal too much. */
const VISIBLE_FROM = 16;

/** Shows the end of a secret, so that users recognize it, but not its length. */
function maskSecret(secret: string): string {
  return DOTS + (secret.length >= VISIBLE_FROM ? secret.slice(-VISIBLE) : '');
}

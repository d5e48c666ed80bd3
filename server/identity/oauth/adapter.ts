import { errors } from 'oidc-provider';
import { type Static, Type } from 'typebox';
import type { BaseContext } from '../base-context.ts';
import { decryptJson, secretHash } from '../secret.ts';
import { revokeSession } from '../sessions/store.ts';
import { consumeState, deleteState, deleteStateOfGrant, findState, insertState, putState } from './store.ts';

const Payload = Type.Record(Type.String(), Type.Unknown());
type Payload = Static<typeof Payload>;

/**
 * Milliseconds during which a used refresh token is accepted again: a tool that refreshes twice at once is honest. The
 * library knows no such time and would end its grant.
 */
export const REFRESH_GRACE = 10_000;
/** Milliseconds for which a used refresh token is recognized, so that its next use ends the grant. */
const USED_RETENTION = 7 * 24 * 60 * 60 * 1000;

type Context = Pick<BaseContext, 'db' | 'encryptor' | 'now'>;

/** What the library calls its storage; `expiresIn` in seconds. */
type Adapter = {
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<undefined>;
  findByUserCode(code: string): Promise<undefined>;
  upsert(id: string, payload: Payload, expiresIn: number): Promise<void>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
};

/**
 * Storage of oidc-provider in PostgreSQL. The library reads a row, decides and writes: between the two another process may
 * have done the same. So each write that must happen once is one statement that says whether it did.
 */
export function createAdapter(context: Context): (model: string) => Adapter {
  return (model) => (model === 'Session' ? FORGETFUL : storageOf(model, context));
}

const nothing = async () => undefined;

/**
 * The library's own session, which would outlive a sign-out of the site: it is not kept, so that each request of a tool asks
 * who is signed in here.
 */
const FORGETFUL: Adapter = {
  find: nothing,
  findByUid: nothing,
  findByUserCode: nothing,
  upsert: nothing,
  consume: nothing,
  destroy: nothing,
  revokeByGrantId: nothing,
};

function storageOf(model: string, { db, encryptor, now }: Context): Adapter {
  const grace = model === 'RefreshToken' ? REFRESH_GRACE : 0;
  const keyOf = (id: string) => ({ model, id_hash: secretHash(id) });
  const labelOf = (idHash: Buffer): string => `oauth ${model} ${idHash.toString('base64url')}`;
  const at = () => new Date(now());
  const usableSince = () => new Date(now() - grace);
  return {
    async find(id) {
      const key = keyOf(id);
      const row = await findState(db, key);
      const payload = row && decryptJson(encryptor, Payload, row.sealed, labelOf(key.id_hash));
      const isUsed = row?.consumed_at != null && row.consumed_at <= usableSince();
      return payload && isUsed ? { ...payload, consumed: true } : payload;
    },
    findByUid: nothing,
    findByUserCode: nothing,
    async upsert(id, payload, expiresIn) {
      const key = keyOf(id);
      const row = {
        ...key,
        sealed: encryptor.encrypt(JSON.stringify(payload), labelOf(key.id_hash)),
        grant_id: typeof payload.grantId === 'string' ? payload.grantId : null,
        expires_at: new Date(now() + expiresIn * 1000),
      };
      if (model !== 'ReplayDetection') return putState(db, row);
      if (!(await insertState(db, row))) throw new errors.InvalidGrant('the proof was used before');
    },
    async consume(id) {
      const until = new Date(now() + USED_RETENTION);
      if (!(await consumeState(db, keyOf(id), { at: at(), usableSince: usableSince(), until })))
        throw new errors.InvalidGrant('used before');
    },
    async destroy(id) {
      await deleteState(db, keyOf(id));
      if (model === 'Grant') await revokeSession(db, id, at());
    },
    revokeByGrantId: (grantId) => deleteStateOfGrant(db, model, grantId),
  };
}

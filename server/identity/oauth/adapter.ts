import { errors } from 'oidc-provider';
import { type Static, Type } from 'typebox';
import type { BaseContext } from '../base-context.ts';
import { decryptJson, secretHash } from '../secret.ts';
import { revokeSession } from '../sessions/store.ts';
import { metadataOf } from './clients.ts';
import {
  consumeState,
  deleteState,
  deleteStateOfGrant,
  findState,
  findStateOfUserCode,
  insertState,
  putState,
  recordPoll,
} from './store.ts';
import { findTool } from './tool-store.ts';

const Payload = Type.Record(Type.String(), Type.Unknown());
type Payload = Static<typeof Payload>;

/**
 * Milliseconds during which a used refresh token is accepted again: a tool that refreshes twice at once is honest. The
 * library knows no such time and would end its grant.
 */
export const REFRESH_GRACE = 10_000;
/** Seconds between two questions of a device that waits for its user, and how many more for one that asks too early. */
export const POLL_INTERVAL = 5;
const POLL_PENALTY = 5;
/** Milliseconds by which a question may be early, as networks are not even. */
const POLL_TOLERANCE = 1000;
/** Milliseconds for which a used refresh token is recognized, so that its next use ends the grant. */
const USED_RETENTION = 7 * 24 * 60 * 60 * 1000;

type Context = Pick<BaseContext, 'db' | 'encryptor' | 'now'>;

/** What the library calls its storage; `expiresIn` in seconds. */
type Adapter = {
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<undefined>;
  findByUserCode(code: string): Promise<Payload | undefined>;
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
  return (model) => {
    if (model === 'Session') return FORGETFUL;
    return model === 'Client' ? clientsOf(context) : storageOf(model, context);
  };
}

/** Whether the user has not answered yet. */
const isPending = ({ accountId, error }: Payload): boolean => accountId === undefined && error === undefined;

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

/** The tools that administrators have registered; the library knows those of the setting, and asks for all others. */
function clientsOf({ db }: Context): Adapter {
  return {
    ...FORGETFUL,
    async find(id) {
      const tool = await findTool(db, id);
      return tool && metadataOf(tool);
    },
  };
}

function storageOf(model: string, { db, encryptor, now }: Context): Adapter {
  // A device that asks twice at once is honest too, but gets tokens once.
  const grace = model === 'RefreshToken' ? REFRESH_GRACE : 0;
  const seenAfter = model === 'DeviceCode' ? REFRESH_GRACE : grace;
  const keyOf = (id: string) => ({ model, id_hash: secretHash(id) });
  const labelOf = (idHash: Buffer): string => `oauth ${model} ${idHash.toString('base64url')}`;
  const at = () => new Date(now());
  const usableSince = () => new Date(now() - grace);
  const unseenSince = () => new Date(now() - seenAfter);
  return {
    async find(id) {
      const key = keyOf(id);
      const row = await findState(db, key);
      const payload = row && decryptJson(encryptor, Payload, row.sealed, labelOf(key.id_hash));
      const isUsed = row?.consumed_at != null && row.consumed_at <= unseenSince();
      if (model === 'DeviceCode' && payload && isPending(payload)) {
        const poll = { at: at(), tolerance: POLL_TOLERANCE, penalty: POLL_PENALTY };
        if (await recordPoll(db, key, poll)) throw new errors.SlowDown();
      }
      return payload && isUsed ? { ...payload, consumed: true } : payload;
    },
    findByUid: nothing,
    async findByUserCode(code) {
      const row = await findStateOfUserCode(db, secretHash(code), at());
      return row && decryptJson(encryptor, Payload, row.sealed, labelOf(row.id_hash));
    },
    async upsert(id, payload, expiresIn) {
      const key = keyOf(id);
      const row = {
        ...key,
        sealed: encryptor.encrypt(JSON.stringify(payload), labelOf(key.id_hash)),
        grant_id: typeof payload.grantId === 'string' ? payload.grantId : null,
        expires_at: new Date(now() + expiresIn * 1000),
        ...(typeof payload.userCode === 'string' && {
          user_code_hash: secretHash(payload.userCode),
          poll_seconds: POLL_INTERVAL,
        }),
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

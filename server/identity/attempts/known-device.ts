import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { KNOWN_DEVICES_HEADER, KNOWN_DEVICES_MAX } from '../../../shared/user-service.ts';
import type { IdentityContext } from '../context.ts';
import { DEVICE_LIFETIME } from '../lifetimes.ts';
import type { Account } from '../schema.ts';

type Context = Pick<IdentityContext, 'now' | 'encryptor'>;
type Owner = Pick<Account, 'user_id' | 'devices_since'>;

/** Encrypted for nothing else, so that no other secret of ours passes for one. */
const LABEL = 'known device';
const TOKEN_MAX = 400;
const check = Compile(
  Type.Object({ user_id: Type.Integer(), device: Type.String({ format: 'uuid' }), since: Type.Integer() }),
);

/**
 * A token by which the device that a user has just signed in on is known: good for a year, for this account alone, and
 * until its password is set again. A device that is known keeps its id.
 */
export function deviceToken(
  context: Context,
  owner: Owner,
  request: Pick<FastifyRequest, 'headers'>,
): string {
  const device = knownDevice(context, owner, request) ?? randomUUID();
  return context.encryptor.encrypt(
    JSON.stringify({ user_id: owner.user_id, device, since: context.now() }),
    LABEL,
  );
}

/** The id of the device that a request comes from, if the account was signed in to on it; the gateway tells. */
export function knownDevice(
  { now, encryptor }: Context,
  { user_id, devices_since }: Owner,
  { headers }: Pick<FastifyRequest, 'headers'>,
): string | undefined {
  const told = headers[KNOWN_DEVICES_HEADER];
  if (typeof told !== 'string') return undefined;
  for (const token of told.split(',', KNOWN_DEVICES_MAX)) {
    const text = token.length <= TOKEN_MAX ? encryptor.decrypt(token.trim(), LABEL) : undefined;
    const known: unknown = text === undefined ? undefined : JSON.parse(text);
    if (!check.Check(known) || known.user_id !== user_id) continue;
    const isVoid = devices_since !== null && known.since <= devices_since.getTime();
    if (!isVoid && now() - known.since < DEVICE_LIFETIME) return known.device;
  }
  return undefined;
}

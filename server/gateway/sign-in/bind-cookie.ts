import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { BIND_LIFETIME } from '../../../shared/constants.ts';
import {
  type CookieAttributes,
  type Cookies,
  cookieName,
  dropCookie,
  putCookie,
} from '../../http/cookies.ts';
import { createSealer } from '../../sealing/seal.ts';

/** A bind that the user service keeps waiting for this browser. Several tabs may have one each. */
const PendingBind = Type.Object({
  /** What the page's address names it by: worth nothing without the cookie. */
  handle: Type.String(),
  /** What the user service names it by. */
  id: Type.String(),
  /** The callback that the id has come to. */
  redirect_uri: Type.Optional(Type.String()),
  expires: Type.Number(),
});
export type PendingBind = Static<typeof PendingBind>;

const check = Compile(Type.Array(PendingBind));
const KEPT = 4;

export type PendingBinds = ReturnType<typeof createPendingBinds>;

/** Binds what a sign-in has earned to its browser, in a sealed cookie. */
export function createPendingBinds({ gateway: { keys, now, secure } }: FastifyInstance) {
  const name = cookieName('bind', secure);
  const attributes: CookieAttributes = { secure, sameSite: 'strict' };
  const sealer = createSealer(keys, 'pending bind');

  function read(cookies: Cookies): PendingBind[] {
    const sealed = cookies[name];
    const text = sealed === undefined ? undefined : sealer.open(sealed, name);
    const value: unknown = text === undefined ? [] : JSON.parse(text);
    return check.Check(value) ? value.filter(({ expires }) => expires > now()) : [];
  }
  function write(reply: FastifyReply, binds: PendingBind[]): void {
    if (binds.length === 0) dropCookie(reply, name, attributes);
    else putCookie(reply, name, sealer.seal(JSON.stringify(binds), name), BIND_LIFETIME, attributes);
  }

  return {
    /** Keeps a bind for this browser alone; answers the handle that its page is opened with. */
    keep(reply: FastifyReply, earned: Pick<PendingBind, 'id' | 'redirect_uri'>): string {
      const handle = randomBytes(24).toString('base64url');
      const bind = { ...earned, handle, expires: now() + BIND_LIFETIME };
      write(reply, [...read(reply.request.cookies), bind].slice(-KEPT));
      return handle;
    },
    /** The bind of a handle; undefined when this browser has not earned it, or it has run out. */
    find: (handle: string, cookies: Cookies): PendingBind | undefined =>
      read(cookies).find((bind) => bind.handle === handle),
    forget(reply: FastifyReply, handle: string): void {
      const others = read(reply.request.cookies).filter((bind) => bind.handle !== handle);
      write(reply, others);
    },
  };
}

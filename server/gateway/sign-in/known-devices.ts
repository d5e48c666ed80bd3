import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { KNOWN_DEVICES_HEADER, KNOWN_DEVICES_MAX } from '../../../shared/user-service.ts';
import {
  type CookieAttributes,
  type Cookies,
  cookieName,
  deletionLine,
  putCookie,
} from '../../http/cookies.ts';
import { createSealer } from '../../sealing/seal.ts';

/** The tokens of a browser by which the identity service knows it, one for each account, the latest last. */
const Devices = Type.Array(Type.Object({ user_id: Type.Integer(), token: Type.String() }));
const check = Compile(Devices);

const YEAR = 365 * 24 * 60 * 60 * 1000;
/** Five of the longest fit into one cookie. */
const TOKEN_MAX = 400;

export type KnownDevices = ReturnType<typeof createKnownDevices>;

/**
 * The cookie by which a browser is known where somebody has signed in, so that nobody else's wrong passwords delay them.
 * It opens nothing.
 */
export function createKnownDevices({ gateway: { keys, secure } }: FastifyInstance) {
  const name = cookieName('devices', secure);
  const attributes: CookieAttributes = { secure, sameSite: 'strict' };
  const sealer = createSealer(keys, 'known devices');

  function read(cookies: Cookies) {
    const sealed = cookies[name];
    const text = sealed === undefined ? undefined : sealer.open(sealed, name);
    const value: unknown = text === undefined ? undefined : JSON.parse(text);
    return { isThere: sealed !== undefined, known: check.Check(value) ? value : undefined };
  }

  return {
    /** What a call to the identity service says of the browser. */
    headers(cookies: Cookies): Record<string, string> {
      const tokens = read(cookies).known?.map(({ token }) => token) ?? [];
      return tokens.length > 0 ? { [KNOWN_DEVICES_HEADER]: tokens.join(',') } : {};
    },
    /** After a sign-in the browser is known by this token. */
    remember(reply: FastifyReply, { userId, token }: { userId: number; token: string | undefined }): void {
      if (token === undefined || token.length > TOKEN_MAX) return;
      const others = (read(reply.request.cookies).known ?? []).filter(({ user_id }) => user_id !== userId);
      const known = [...others, { user_id: userId, token }].slice(-KNOWN_DEVICES_MAX);
      putCookie(reply, name, sealer.seal(JSON.stringify(known), name), YEAR, attributes);
    },
    /** Set-Cookie lines that delete a cookie which is not ours. */
    clearUnusable(cookies: Cookies): string[] {
      const { isThere, known } = read(cookies);
      return isThere && !known ? [deletionLine(name, attributes)] : [];
    },
  };
}

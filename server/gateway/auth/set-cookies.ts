import type { FastifyReply } from 'fastify';

/** Adds Set-Cookie lines to an answer, if there are any. */
export function setCookies(reply: FastifyReply, cookies: readonly string[]): void {
  if (cookies.length > 0) reply.header('set-cookie', [...cookies]);
}

import { type Static, Type } from 'typebox';
import type { HotPayload } from 'vite';

/** Name of the argument with which the development server starts the services; its value is a setup as JSON. */
export const SETUP_ARGUMENT = '--development=';

/** What the development server gives the services. */
export const Setup = Type.Object({
  /** Loopback port for the development server's requests. */
  port: Type.Integer(),
  databaseUrl: Type.Optional(Type.String()),
  /** CSP nonce of Vite's additions. */
  nonce: Type.String(),
  /** Vite's additions to the head of a document. */
  head: Type.String(),
});
export type Setup = Static<typeof Setup>;

/** Services to development server: they accept requests. */
export const Ready = Type.Object({ ready: Type.Literal(true) });

/** Services to development server: a call of Vite's module runner; the response has the same number. */
export const Invoke = Type.Object({
  invoke: Type.Integer(),
  payload: Type.Unsafe<HotPayload>(Type.Object({ type: Type.Literal('custom') })),
});

/** Development server to services: Vite's response. */
export const Invoked = Type.Object({
  invoked: Type.Integer(),
  response: Type.Union([Type.Object({ result: Type.Unknown() }), Type.Object({ error: Type.Unknown() })]),
});

import type { Role } from '../../../../shared/entities/user.ts';
import { visitorOrCaller as readCaller, callerOf as requireCaller } from '../../../http/authentication.ts';

/** An enterprise, and the department there; empty if it is not known. */
export type CallerGroup = { e_id: number; department: string };

/** The user of a request, from their access token. */
export type Caller = {
  user_id: number;
  role: Role;
  nick_name: string;
  avatar_url: string;
  /** When the access token was issued; undefined for a publish token. */
  issued_at?: Date;
  /** Set for a publish token, with the plugin that it is restricted to, or null. */
  token?: { plugin_key: string | null };
  /** Set for a tool, which may only do what the user has allowed, and for pages inside one. */
  scopes?: readonly string[];
  /** Set for a token that is bound to a key: its thumbprint (RFC 7638). */
  boundTo?: string;
  /** The enterprise that the user works in; undefined without one. */
  group?: CallerGroup;
};

/** The caller, or null for a visitor. */
export const visitorOrCaller = readCaller<Caller>;

/**
 * The caller of a route that requires a session.
 * @throws UNAUTHENTICATED for a visitor
 */
export const callerOf = requireCaller<Caller>;

import type { JWTVerifyGetKey } from 'jose';
import type { UserInfo } from '../../../shared/entities/user.ts';
import type { Session } from '../session/session.ts';
import type { Transaction } from './cookies.ts';
import type { LoginParams } from './login-params.ts';
import type { Tokens } from './tokens.ts';

/** What a browser has brought back from the login page. */
export type Returned = {
  code: string;
  app: string | undefined;
  /** The whole address it came back to. */
  url: URL;
  /** Undefined for a code that nobody here has asked for. */
  transaction: Transaction | undefined;
};

/** A session that a sign-in begins, and by what the device is known there from now on. */
export type Redeemed = { session: Session; deviceToken?: string | undefined };

/** What asking for new tokens came to; `refused` means that the session is over. */
export type Renewal = { kind: 'renewed'; changes: Tokens & Partial<Session> } | { kind: 'refused' };

/** What asking whether a session still holds came to; `stale`: only its access token is refused. */
export type Validation = { kind: 'valid'; user: UserInfo } | { kind: 'refused' } | { kind: 'stale' };

/** By what a logout token of the provider is known (OpenID Connect Back-Channel Logout 1.0 section 2.6). */
export type LogoutTokenRules = { issuer: string; audience: string; keys: JWTVerifyGetKey };

/**
 * Who signs people in. Sessions, their refresh and the proxy know nothing else of it. Every call throws AppError
 * UPSTREAM_* when it got no usable answer.
 */
export type Provider = {
  /** Secrets that a sign-in keeps in its encrypted transaction until the browser is back. */
  secrets(): Record<string, string>;
  /** Where the browser goes to sign in, or to sign up. */
  loginUrl(transaction: Transaction, params: LoginParams): Promise<string>;
  /** A new session for a code. @throws AppError CODE_INVALID too */
  redeem(returned: Returned, headers: Record<string, string>): Promise<Redeemed>;
  renew(session: Session): Promise<Renewal>;
  validate(session: Session): Promise<Validation>;
  /** The user info as it is now. @throws AppError TOKEN_INVALID too */
  userInfo(session: Session): Promise<UserInfo>;
  /** Ends the session's tokens; answers where the browser must go to be signed out there too, if anywhere. */
  signOut(session: Session): Promise<string | null>;
  logoutTokenRules(): Promise<LogoutTokenRules>;
};

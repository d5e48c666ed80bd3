import type { Browser, Received, Sending } from '../support/browser.ts';
import type { StubUpstream } from '../support/stub-upstream.ts';
import type { RealServices } from './real-services.ts';
import type { People } from './users.ts';

/** A running gateway: its address, and the public origin of its configuration. */
export type Target = {
  url: string;
  publicUrl: string;
  /** Its log and metrics; undefined if they are not accessible. */
  logText?: () => string;
  figures?: () => Promise<string>;
  /** Lead of its clock, in milliseconds; undefined if the clock cannot be changed. */
  clock?: { ahead: number };
  /** Restarts it; undefined if it cannot be restarted. */
  restart?: () => Promise<Target>;
  close(): Promise<void>;
};

/** Settings of a gateway for one check. */
export type Variant = {
  /** Environment variables. */
  settings?: Readonly<Record<string, string>>;
  /** Encryption keys of 32 bytes: the first encrypts, all decrypt. */
  keys?: Buffer[];
  /** URL of community and help center instead of the stub's. */
  upstream?: string;
  /** URL of the user service instead of the stub's. */
  identity?: string;
};

/** The gateway's own paths, cookies and headers. */
export type Dialect = {
  /** The return address is appended to it. */
  loginPath: string;
  sessionPath: string;
  logoutPath: string;
  /** Names of the session cookies, including chunks. */
  sessionCookie: RegExp;
  /** The header that a cross-site page cannot set. */
  headers: Record<string, string>;
};

/** The arguments of a check: a fresh gateway with unscripted stubs. */
export type Context = {
  target: Target;
  dialect: Dialect;
  /** Community and help center. */
  upstream: StubUpstream;
  /** The user service, scripted: the code `person-N` signs in the user with the id N. */
  identity: StubUpstream;
  people: People;
  browser(target?: Target): Browser;
  /** A browser with a session. */
  signedIn(person?: number, target?: Target): Promise<Browser>;
  /** A call without cookies, with the CSRF header. */
  call(path: string, sending?: Sending): Promise<Received>;
  /** Sends raw bytes; returns the response. */
  raw(text: string | Buffer, silence?: number): Promise<string>;
  /** Another gateway with the same stubs. @throws NotSeen if none can be started */
  start(variant: Variant): Promise<Target>;
  /** This product's services, in place of the stubs. @throws NotSeen if no gateway can be started for them */
  realServices(): Promise<RealServices>;
  /** The gateway after a restart. @throws NotSeen if it cannot be restarted */
  restart(): Promise<Target>;
};

/** One requirement or one bug of a peer. */
export type Check = {
  /** Number of the requirement in docs/requirements.md, or id of the bug. */
  id: string;
  title: string;
  /** @throws AssertionError if the gateway fails; NotSeen if this gateway cannot be checked */
  run(context: Context): Promise<void>;
};

/** Thrown by a check that needs access which this gateway does not provide. */
export class NotSeen extends Error {}

import type { Browser, Received, Sending } from '../support/browser.ts';
import type { StubUpstream } from '../support/stub-upstream.ts';
import type { People } from './people.ts';

/** A gateway that runs: where it listens, and the origin that it believes browsers see. */
export type Target = {
  url: string;
  publicUrl: string;
  /** Everything it has logged, and its figures; absent where nobody can look. */
  logText?: () => string;
  figures?: () => Promise<string>;
  /** Milliseconds its clock is ahead; absent for a gateway whose clock nobody can move. */
  clock?: { ahead: number };
  /** Ends it and starts it again as it was; absent for a gateway that nobody here can restart. */
  restart?: () => Promise<Target>;
  close(): Promise<void>;
};

/** How a gateway is to be started for one check. */
export type Variant = {
  /** Settings as its environment has them. */
  settings?: Readonly<Record<string, string>>;
  /** Encryption keys of 32 bytes: the first encrypts, all open. */
  keys?: Buffer[];
  /** Address used in place of the stub for community and help center. */
  upstream?: string;
};

/** What the checks have to know of a gateway to speak to it. */
export type Dialect = {
  /** The address to return to is appended to this. */
  loginPath: string;
  sessionPath: string;
  logoutPath: string;
  /** Names of the cookies that hold a session, chunks included. */
  sessionCookie: RegExp;
  /** The header that a cross-site page cannot set. */
  headers: Record<string, string>;
};

/** What a check is given: a gateway that has served nobody yet, before stubs without a script. */
export type Context = {
  target: Target;
  dialect: Dialect;
  /** Community and help center. */
  upstream: StubUpstream;
  /** The user service, scripted: the code `person-N` signs in the person with the id N. */
  identity: StubUpstream;
  people: People;
  browser(target?: Target): Browser;
  /** A browser that has signed in as one person. */
  signedIn(person?: number, target?: Target): Promise<Browser>;
  /** A call without cookies that proves to come from the application. */
  call(path: string, sending?: Sending): Promise<Received>;
  /** Bytes as they are; answers what comes back. */
  raw(text: string | Buffer, silence?: number): Promise<string>;
  /** Another gateway before the same stubs. @throws NotSeen where none can be started */
  start(variant: Variant): Promise<Target>;
  /** The gateway after a restart. @throws NotSeen where it cannot be restarted */
  restart(): Promise<Target>;
};

/** One requirement or one bug of a peer. */
export type Check = {
  /** Number of the requirement, or the id under which the bug is known. */
  id: string;
  title: string;
  /** @throws AssertionError when the gateway does otherwise; NotSeen when that cannot be told from here */
  run(context: Context): Promise<void>;
};

/** Thrown by a check that needs more of a gateway than this one lets be seen. */
export class NotSeen extends Error {}

import type { SessionView } from '../../../shared/entities/user.ts';
import { type SignInOptions, signInUrl } from './sign-in-url.ts';

/** What the page wants of sign-ins. */
export type InitOptions = {
  /** The path of this site that they come back to. */
  redirect_url?: string;
};
export type AccessCallback = (session: SessionView) => void;

/** The page's part of signing in; code and tokens are the gateway's alone (specification sections 4 and 5). */
export type AuthClient = {
  /** Answers false, and warns of what is missing, for options that are not whole: nothing is changed then. */
  init(options: InitOptions | undefined, onAccess: AccessCallback | undefined): boolean;
  /** The address that begins a sign-in. @throws Error 'auth never init' */
  signInUrl(options?: SignInOptions): string;
  /**
   * Asks whether there is a session, and calls back with it; who asks in the meantime shares the answer.
   * @throws Error 'auth never init', 'no exist local authInfo'; what asking throws
   */
  validate(): Promise<SessionView>;
};

/** `readSession` asks the gateway, which looks at the session's tokens; `warn` writes for developers. */
export function createAuthClient({
  readSession,
  warn = console.warn,
}: {
  readSession: () => Promise<SessionView>;
  warn?: (text: string) => void;
}): AuthClient {
  let ready: { returnTo: string; onAccess: AccessCallback } | undefined;
  let running: Promise<SessionView> | undefined;

  function initialised() {
    if (!ready) throw new Error('auth never init');
    return ready;
  }
  async function check(): Promise<SessionView> {
    const session = await readSession();
    if (!session.signed_in) throw new Error('no exist local authInfo');
    initialised().onAccess(session);
    return session;
  }
  return {
    init(options, onAccess) {
      if (!options || !onAccess) {
        warn('initOptions or accessCallback is empty');
        return false;
      }
      if (!options.redirect_url) {
        warn('redirect_url is empty');
        return false;
      }
      ready = { returnTo: options.redirect_url, onAccess };
      return true;
    },
    signInUrl: (options) => signInUrl(initialised().returnTo, options),
    async validate() {
      initialised();
      running ??= check().finally(() => {
        running = undefined;
      });
      return running;
    },
  };
}

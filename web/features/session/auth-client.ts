import type { SessionView } from '../../../shared/entities/user.ts';
import { type SignInOptions, signInUrl } from './sign-in-url.ts';

/** Options of the page's sign-ins. */
export type InitOptions = {
  /** Path of this site to return to. */
  redirect_url?: string;
};
export type AccessCallback = (session: SessionView) => void;

/** The client part of sign-in; code and tokens stay in the gateway (R 8.9, R 8.11). */
export type AuthClient = {
  /** Returns false and warns about missing options; then nothing changes. */
  init(options: InitOptions | undefined, onAccess: AccessCallback | undefined): boolean;
  /** The URL that starts a sign-in. @throws Error 'auth never init' */
  signInUrl(options?: SignInOptions): string;
  /**
   * Checks for a session and calls back with it; concurrent calls share one request.
   * @throws Error 'auth never init', 'no exist local authInfo'; errors of the request
   */
  validate(): Promise<SessionView>;
};

/** `readSession` asks the gateway, which checks the session's tokens; `warn` logs for developers. */
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

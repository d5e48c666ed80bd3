import { createContext, useContext } from 'react';

/** How a page asks for sign-in, and learns of one. */
export type SignIn = {
  /**
   * Asks the visitor to sign in, and afterwards leads back to the page on screen. `unfinished` is kept until then: what
   * he wanted to do, in the words of whoever asks.
   */
  ask: (unfinished?: string) => void;
  /** Code of a sign-in that was to lead to this page and failed; null: none. */
  failure: string | null;
  /** Sign-ins beside this page since it was opened. */
  arrivals: number;
};

/** Stands for the code of a failure where no sign-in page came up in its frame. */
export const FRAME_ABSENT = 'FRAME_ABSENT';

export const SignInContext = createContext<SignIn>({ ask: () => undefined, failure: null, arrivals: 0 });

/**
 * How a page starts sign-in when an action needs it: a dialog first, and on private deployments the login
 * page directly (specification section 6).
 */
export function useSignIn(): SignIn {
  return useContext(SignInContext);
}

import { createContext, useContext } from 'react';

/** Asks the visitor to sign in, and afterwards leads back to the page on screen. */
export type AskSignIn = () => void;

export const AskSignInContext = createContext<AskSignIn>(() => undefined);

/**
 * How a page starts sign-in when an action needs it: a dialog first, and on private deployments the login
 * page directly (specification section 6).
 */
export function useAskSignIn(): AskSignIn {
  return useContext(AskSignInContext);
}

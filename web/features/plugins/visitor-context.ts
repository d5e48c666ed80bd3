import { createContext, useContext } from 'react';

/** Who looks at the plugins, as far as buttons need to know. */
export type Visitor = {
  /** undefined while nobody has asked yet. */
  signedIn: boolean | undefined;
  /**
   * `action`, what the visitor wants to do with a plugin (pending-action.ts), is done once they are signed in; `title` is the
   * heading over the form.
   */
  startSignIn: (action?: string, title?: string) => void;
};

const VisitorContext = createContext<Visitor | undefined>(undefined);

export const VisitorProvider = VisitorContext.Provider;

export function useVisitor(): Visitor {
  const visitor = useContext(VisitorContext);
  if (!visitor) throw new Error('VisitorProvider is missing above this component.');
  return visitor;
}

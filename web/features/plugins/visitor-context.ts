import { createContext, useContext } from 'react';

/** The visitor, as far as plugin buttons need to know. */
export type Visitor = {
  /** undefined while unknown. */
  signedIn: boolean | undefined;
  /** `action`: the pending action (plugin-mutation.tsx), carried out after sign-in; `title`: the form's heading. */
  startSignIn: (action?: string, title?: string) => void;
};

const VisitorContext = createContext<Visitor | undefined>(undefined);

export const VisitorProvider = VisitorContext.Provider;

export function useVisitor(): Visitor {
  const visitor = useContext(VisitorContext);
  if (!visitor) throw new Error('VisitorProvider is missing above this component.');
  return visitor;
}

import { createContext, useContext } from 'react';
import type { Collected } from './collected.ts';

/** The viewer, as far as plugin buttons need to know. */
export type Viewer = {
  /** undefined while unknown. */
  signedIn: boolean | undefined;
  /** `action`: the pending action (plugin-mutation.tsx), carried out after sign-in; `title`: the form's heading. */
  startSignIn: (action?: string, title?: string) => void;
  /** Opens the choice of the viewer's collections for a plugin; visitors sign in first, under this heading. */
  collect: (plugin: Collected, title: string) => void;
  /** Name of the dialog (pending-dialog.ts) for which the viewer has signed in; undefined once it is open. */
  pendingDialog: string | undefined;
  onDialogOpened: () => void;
};

export const ViewerContext = createContext<Viewer | undefined>(undefined);

export function useViewer(): Viewer {
  const viewer = useContext(ViewerContext);
  if (!viewer) throw new Error('ViewerContext is missing above this component.');
  return viewer;
}

import { createContext } from 'react';

/** Texts of the question before input in a dialog is discarded. */
export type UnsavedTexts = { title: string; text: string; discard: string; keep: string };

/** Without texts, dialogs close without the question. */
export const UnsavedTextsContext = createContext<UnsavedTexts | undefined>(undefined);

import { createContext, useContext } from 'react';

export type ToastMessage = { kind: 'success' | 'failure'; text: string };
export type ShowToast = (message: ToastMessage) => void;

export const ToastContext = createContext<ShowToast>(() => {});

/** Shows a short message at the top of the page. */
export function useToast(): ShowToast {
  return useContext(ToastContext);
}

import { createContext, useContext } from 'react';
import type { ErrorDetail } from '../../../shared/errors.ts';
import type { PublishForm } from './use-publish-form.ts';

type SharedForm = PublishForm & {
  /** What the service has found in the package that it did not take. */
  refused: readonly ErrorDetail[];
};

const PublishFormContext = createContext<SharedForm | undefined>(undefined);

export const PublishFormProvider = PublishFormContext.Provider;

/** The form that the sections of the page share. */
export function useForm(): SharedForm {
  const form = useContext(PublishFormContext);
  if (!form) throw new Error('PublishFormProvider is missing above this component.');
  return form;
}

import { createContext, useContext } from 'react';
import type { ErrorDetail } from '../../../shared/errors.ts';
import type { PublishForm } from './use-publish-form.ts';

/** What the fields of a listing need, in the form for one plugin or for one of a batch. */
export type ListingForm = Pick<
  PublishForm,
  | 'values'
  | 'setValue'
  | 'setText'
  | 'setKind'
  | 'language'
  | 'setLanguage'
  | 'suggested'
  | 'problems'
  | 'problemAt'
  | 'textProblem'
  | 'files'
  | 'rules'
  | 'tags'
  | 'plugin'
  | 'bringsVersion'
  | 'isVersionFixed'
>;

type SharedForm = PublishForm & {
  /** What the service has found in the package that it did not take. */
  refused: readonly ErrorDetail[];
};

const ListingFormContext = createContext<ListingForm | undefined>(undefined);
const PublishFormContext = createContext<SharedForm | undefined>(undefined);

export const ListingFormProvider = ListingFormContext.Provider;
export const PublishFormProvider = PublishFormContext.Provider;

/** The fields of a listing that the sections share. */
export function useListingForm(): ListingForm {
  const form = useContext(ListingFormContext);
  if (!form) throw new Error('ListingFormProvider is missing above this component.');
  return form;
}

/** The form for one plugin that the sections of its page share. */
export function useForm(): SharedForm {
  const form = useContext(PublishFormContext);
  if (!form) throw new Error('PublishFormProvider is missing above this component.');
  return form;
}

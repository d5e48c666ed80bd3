import { type Context, createContext, type ReactNode, useContext } from 'react';
import type { Tag } from '../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../shared/entities/review.ts';
import type { FileChoices } from './files/use-files.ts';
import type { FormPackage } from './files/use-package.ts';
import type { Fields } from './values/use-fields.ts';

/** Facts about the form that typing doesn't change. */
type FormSettings = {
  /** The edited plugin; absent for a new one. */
  plugin: EditablePlugin | undefined;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  includesVersion: boolean;
  /** The version can't be edited: an approved one doesn't change any more. */
  isVersionFixed: boolean;
};

const SettingsContext = createContext<FormSettings | undefined>(undefined);
const FieldsContext = createContext<Fields | undefined>(undefined);
const FilesContext = createContext<FileChoices | undefined>(undefined);
const PackageContext = createContext<FormPackage | undefined>(undefined);

export const useFormSettings = () => useProvided(SettingsContext);
/** Values, current language and problems. */
export const useFormFields = () => useProvided(FieldsContext);
export const useFormFiles = () => useProvided(FilesContext);
/** The form's package; absent in a batch, where each row is a package. */
export const useFormPackage = () => useProvided(PackageContext);

type ProvidersProps = {
  settings: FormSettings;
  fields: Fields;
  choices: FileChoices;
  code?: FormPackage;
  children: ReactNode;
};

/** Provides the sections of a form, for one plugin or for one of a batch. */
export function FormProviders({ settings, fields, choices, code, children }: ProvidersProps) {
  return (
    <SettingsContext value={settings}>
      <FieldsContext value={fields}>
        <FilesContext value={choices}>
          <PackageContext value={code}>{children}</PackageContext>
        </FilesContext>
      </FieldsContext>
    </SettingsContext>
  );
}

function useProvided<T>(context: Context<T | undefined>): T {
  const value = useContext(context);
  if (value === undefined) throw new Error('FormProviders is missing above this component.');
  return value;
}

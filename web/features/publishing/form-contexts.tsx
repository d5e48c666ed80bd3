import { type Context, createContext, type ReactNode, useContext } from 'react';
import type { Tag } from '../../../shared/entities/plugin.ts';
import type { EditablePlugin, PublishRules } from '../../../shared/entities/review.ts';
import type { FileChoices } from './files/use-files.ts';
import type { FormPackage } from './files/use-package.ts';
import type { Fields } from './values/use-fields.ts';

/** What the form is about; typing changes nothing of it. */
type FormSettings = {
  /** The plugin that is edited; absent for a new one. */
  plugin: EditablePlugin | undefined;
  rules: PublishRules | undefined;
  tags: readonly Tag[];
  bringsVersion: boolean;
  /** The version is as it is: a passed one does not change any more. */
  isVersionFixed: boolean;
};

const SettingsContext = createContext<FormSettings | undefined>(undefined);
const FieldsContext = createContext<Fields | undefined>(undefined);
const FilesContext = createContext<FileChoices | undefined>(undefined);
const PackageContext = createContext<FormPackage | undefined>(undefined);

export const useFormSettings = () => useProvided(SettingsContext);
/** Values, the language on screen, and problems. */
export const useFormFields = () => useProvided(FieldsContext);
export const useFormFiles = () => useProvided(FilesContext);
/** The package that is chosen in the form; forms of a batch, whose rows are packages, have none. */
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

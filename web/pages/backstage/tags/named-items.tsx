import type { ReactNode } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { type MarkColor, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Operation } from '../../../../shared/contract.ts';
import type { ManagedMark, ManagedTag } from '../../../../shared/entities/backstage.ts';
import {
  FALLBACK_LANGUAGE,
  LANGUAGE_NAMES,
  LANGUAGES,
  type Language,
  textIn,
} from '../../../../shared/languages.ts';
import { TAG_CODE } from '../../../../shared/tags.ts';
import { useEditedLanguages } from '../../../api/edited-languages.ts';
import { useSite } from '../../../api/site-context.ts';
import type { PayloadOf } from '../../../api/use-operation.ts';
import { ItemRow, useVisibility } from '../../../features/sorting/item-row.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import styles from './named-items.module.css';

/** Translated items that administrators can hide and sort: tags and marks. */
export type Named = ManagedTag | ManagedMark;

/** The item's name in the page's language. */
export function useNamed(): (item: Pick<Named, 'name'>) => string {
  const { language } = useSite();
  return ({ name }) => textIn(name, language, FALLBACK_LANGUAGE).text;
}

type RowProps<O extends Operation> = {
  item: Named;
  /** Replaces the name. */
  title: ReactNode;
  operation: O;
  payload: (isHidden: boolean) => PayloadOf<O>;
  actions: ReactNode;
};

/** One item: position, name, visibility and actions. */
export function NamedRow<O extends Operation>({ item, title, operation, payload, actions }: RowProps<O>) {
  const t = useTranslations('tagAdmin');
  const name = useNamed()(item);
  const { isShown, toggle } = useVisibility({
    label: t('show_named', { name }),
    isHidden: item.is_hidden,
    operation,
    payload,
  });
  return (
    <ItemRow
      sort={{ id: item.id, name }}
      title={title}
      facts={
        <span>
          <code>{item.code}</code> · {t('plugins', { count: item.plugin_count })}
        </span>
      }
      status={
        !isShown && (
          <Badge tone="warning" dot>
            {t('hidden')}
          </Badge>
        )
      }
      toggle={toggle}
      actions={actions}
    />
  );
}

const IS_CODE = new RegExp(TAG_CODE);

/** Form values of an item; tags have no colour, marks no introduction. */
export type NamedValues = {
  code: string;
  name: Record<Language, string>;
  intro: Record<Language, string>;
  color: MarkColor;
};

const EMPTY: Record<Language, string> = {
  'zh-CN': '',
  'en-US': '',
  'ja-JP': '',
  'ko-KR': '',
  'ru-RU': '',
  'es-ES': '',
};

/** Form state of an item, empty for a new one. */
export function useNamedForm(item: Named | undefined) {
  const form = useForm<NamedValues>({
    defaultValues: {
      code: item?.code ?? '',
      name: { ...EMPTY, ...item?.name },
      intro: { ...EMPTY, ...(item && 'intro' in item && item.intro) },
      color: item && 'color' in item ? item.color : 'blue',
    },
  });
  const { name, color } = useWatch({
    control: form.control,
    compute: ({ name, color }) => ({ name, color }),
  });
  return { form, name, color };
}

type EditProps<O extends Operation> = {
  texts: 'tagAdmin' | 'markAdmin';
  title: string;
  form: ReturnType<typeof useNamedForm>['form'];
  /** Whether the code can be edited. */
  hasCode: boolean;
  /** Maximum number of characters of a name. */
  limit: number;
  operation: O;
  payload: (values: NamedValues) => PayloadOf<O>;
  /** Further fields. */
  children?: ReactNode;
  onClose: () => void;
};

/** Adds or edits an item: its code, and its name in each language. */
export function EditNamed<O extends Operation>({
  texts,
  form,
  hasCode,
  limit,
  payload,
  children,
  ...rest
}: EditProps<O>) {
  const t = useTranslations();
  const { control, formState, getValues } = form;
  const written = Object.entries(formState.defaultValues?.name ?? {}).filter(([, name]) => name !== '');
  const languages = useEditedLanguages([Object.fromEntries(written)]);
  const [first = FALLBACK_LANGUAGE] = languages;
  const isNamed = (): boolean => Object.values(getValues('name')).some((name) => name.trim() !== '');
  const codeProblem = (code: string) => (IS_CODE.test(code.trim()) ? undefined : t(`${texts}.code_wrong`));
  const taken = {
    at: ['code', ...LANGUAGES.map((language) => `name.${language}` as const)],
    text: t(`${texts}.taken`),
  } as const;
  const full = { at: 'root', text: t(`${texts}.full`) } as const;
  return (
    <EditDialog
      {...rest}
      form={form}
      payload={(values) => payload({ ...values, code: values.code.trim() })}
      errorMessages={{
        TAG_EXISTS: taken,
        MARK_EXISTS: taken,
        TAG_LIMIT_REACHED: full,
        MARK_LIMIT_REACHED: full,
      }}
    >
      {hasCode && (
        <FormTextField
          control={control}
          name="code"
          check={codeProblem}
          label={t(`${texts}.code`)}
          hint={t(`${texts}.code_hint`)}
          maxLength={TEXT_LIMITS.tag}
          autoCapitalize="none"
          spellCheck={false}
        />
      )}
      <fieldset className={styles.names}>
        <legend className={styles.legend}>{t('tagAdmin.names')}</legend>
        {languages.map((language) => (
          <FormTextField
            key={language}
            control={control}
            name={`name.${language}`}
            {...(language === first
              ? { check: () => (isNamed() ? undefined : t(`${texts}.nameless`)) }
              : { alsoChecks: `name.${first}` })}
            label={<span lang={language}>{LANGUAGE_NAMES[language]}</span>}
            lang={language}
            maxLength={limit}
          />
        ))}
      </fieldset>
      {children}
    </EditDialog>
  );
}

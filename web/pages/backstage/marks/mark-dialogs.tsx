import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import { MARK_COLORS, type MarkColor, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedMark, ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Language, textIn } from '../../../../shared/languages.ts';
import { TAG_CODE } from '../../../../shared/tags.ts';
import { isApiError } from '../../../api/api-error.ts';
import { call } from '../../../api/client.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginMark } from '../../../features/plugins/plugin-mark.tsx';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { RadioGroup } from '../../../ui/radio-group/radio-group.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { TextField } from '../../../ui/text-field/text-field.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { NamesField } from '../tags/named-list.tsx';
import styles from '../tags/tags-screen.module.css';

const IS_CODE = new RegExp(TAG_CODE);

/** What a mark is called in a language. */
export function markName({ name }: Pick<ManagedMark, 'name'>, language: Language): string {
  return textIn(name, language, FALLBACK_LANGUAGE).text;
}

/** Lets everything that shows marks be read again. */
export function useMarksChanged(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries({ queryKey: ['listManagedMarks'] });
    await queryClient.invalidateQueries({ queryKey: ['listManagedPlugins'] });
  };
}

/** Adds a mark, or changes names and colour of one, whose code stays. */
export function EditMark({ mark, onClose }: { mark: ManagedMark | undefined; onClose: () => void }) {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const [code, setCode] = useState(mark?.code ?? '');
  const [name, setName] = useState(mark?.name ?? {});
  const [color, setColor] = useState<MarkColor>(mark?.color ?? 'blue');
  const [checked, setChecked] = useState(false);
  const toast = useToast();
  const marksChanged = useMarksChanged();
  const save = useMutation({
    mutationFn: () => call('saveMark', { ...(mark ? { id: mark.id } : { code: code.trim() }), name, color }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t('saved') });
      await marksChanged();
      onClose();
    },
  });
  const refused = isApiError(save.error) && save.error.reason === 'MARK_EXISTS' ? save.error.details : [];
  const taken = (pointer: string): string | undefined =>
    refused.some((detail) => detail.pointer === pointer) ? t('taken') : undefined;
  const isFull = isApiError(save.error) && save.error.reason === 'MARK_LIMIT_REACHED';
  const isCodeWrong = !mark && !IS_CODE.test(code.trim());
  const isNameless = LANGUAGES.every((one) => !name[one]?.trim());
  const submit = (): void => {
    setChecked(true);
    if (!isCodeWrong && !isNameless) save.mutate();
  };
  const shown = textIn(name, language, FALLBACK_LANGUAGE);
  return (
    <ConfirmDialog
      open
      title={mark ? t('edit_named', { name: markName(mark, language) }) : t('add')}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={save.isPending}
      error={save.error && refused.length === 0 ? t(isFull ? 'full' : 'failed') : undefined}
      onConfirm={submit}
      onClose={onClose}
    >
      <div className={styles.form}>
        {!mark && (
          <TextField
            label={t('code')}
            hint={t('code_hint')}
            value={code}
            onValueChange={(value) => {
              setCode(value);
              save.reset();
            }}
            error={checked && isCodeWrong ? t('code_wrong') : taken('/code')}
            maxLength={TEXT_LIMITS.tag}
            autoCapitalize="none"
            spellCheck={false}
            onEnter={submit}
          />
        )}
        <NamesField
          name={name}
          onChange={(value) => {
            setName(value);
            save.reset();
          }}
          limit={TEXT_LIMITS.mark}
          errorOf={(one) =>
            checked && isNameless && one === LANGUAGES[0] ? t('nameless') : taken(`/name/${one}`)
          }
          onEnter={submit}
        />
        <RadioGroup
          label={t('color')}
          inline
          options={MARK_COLORS.map((value) => ({ value, label: t(`color_${value}`) }))}
          value={color}
          onChange={setColor}
        />
        <p>
          {t('preview')}{' '}
          <PluginMark
            plugin={{ mark: { name: shown.text.trim() || t('preview_name'), lang: shown.lang, color } }}
          />
        </p>
      </div>
    </ConfirmDialog>
  );
}

/** Puts a mark on a plugin, or takes it off. */
export function MarkPlugin({
  managed: { plugin },
  onClose,
}: {
  managed: ManagedPlugin;
  onClose: () => void;
}) {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const [chosen, setChosen] = useState(plugin.plugin_mark);
  const toast = useToast();
  const marksChanged = useMarksChanged();
  const { data, error } = useQuery(queryOptionsOf('listManagedMarks', {}));
  const put = useMutation({
    mutationFn: () => call('markPlugin', { plugin_key: plugin.plugin_key, plugin_mark: chosen }),
    onSuccess: async () => {
      toast({ kind: 'success', text: t(chosen === '' ? 'taken_off' : 'put_on') });
      await marksChanged();
      onClose();
    },
  });
  const marks = (data?.mark_list ?? []).map((mark) => {
    const name = markName(mark, language);
    return { value: mark.code, label: mark.is_hidden ? t('hidden_named', { name }) : name };
  });
  return (
    <ConfirmDialog
      open
      title={t('put_title', { name: plugin.name })}
      confirmLabel={t('save')}
      cancelLabel={t('cancel')}
      busy={put.isPending || !data}
      error={put.error || error ? t('failed') : undefined}
      onConfirm={() => put.mutate()}
      onClose={onClose}
    >
      {data ? (
        <RadioGroup
          label={t('title')}
          hideLabel
          options={[{ value: '', label: t('none') }, ...marks]}
          value={chosen}
          onChange={setChosen}
        />
      ) : (
        !error && <Skeleton shape="block" />
      )}
    </ConfirmDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import AwardIcon from 'lucide-react/icons/award';
import { useTranslations } from 'use-intl';
import { MARK_COLORS, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedMark } from '../../../../shared/entities/backstage.ts';
import { FALLBACK_LANGUAGE, textIn } from '../../../../shared/languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { PluginMark } from '../../../features/plugins/plugin-mark.tsx';
import { FormRadioGroup } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { ItemList } from '../frame/item-list.tsx';
import { EditNamed, NamedRow, useNamed, useNamedForm } from './named-items.tsx';

/** Marks of plugins: names, colours and order. */
export function MarksScreen() {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const nameOf = useNamed();
  const query = useQuery(queryOptionsOf('listManagedMarks', {}));
  return (
    <ItemList
      texts="markAdmin"
      query={query}
      items={query.data?.mark_list ?? []}
      nameOf={nameOf}
      label={t('title')}
      empty={<Notice icon={<AwardIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      order={{ list: 'listManagedMarks', rows: 'mark_list', save: 'orderMarks' }}
      row={(mark, { name, sort, edit, remove }) => (
        <NamedRow
          item={mark}
          name={name}
          sort={sort}
          title={<PluginMark plugin={{ mark: { name, lang: language, color: mark.color } }} />}
          operation="saveMark"
          payload={(is_hidden) => ({ id: mark.id, is_hidden })}
          actions={
            <>
              {edit}
              {mark.plugin_count === 0 && remove}
            </>
          }
        />
      )}
      form={(mark, onClose) => <EditMark mark={mark} onClose={onClose} />}
      deletion={({ id }) => ({
        children: t('delete_text'),
        operation: 'deleteMark',
        payload: { id },
        inUse: { reason: 'MARK_IN_USE', text: t('in_use') },
      })}
    />
  );
}

/** Adds a mark, or edits names and colour of one; codes are immutable. */
function EditMark({ mark, onClose }: { mark: ManagedMark | undefined; onClose: () => void }) {
  const t = useTranslations('markAdmin');
  const common = useTranslations('common');
  const { language } = useSite();
  const nameOf = useNamed();
  const { form, name, color } = useNamedForm(mark);
  const shown = textIn(name, language, FALLBACK_LANGUAGE);
  return (
    <EditNamed
      texts="markAdmin"
      title={mark ? common('edit_named', { name: nameOf(mark) }) : t('add')}
      form={form}
      hasCode={!mark}
      limit={TEXT_LIMITS.mark}
      operation="saveMark"
      payload={({ code, ...values }) => ({ ...(mark ? { id: mark.id } : { code }), ...values })}
      onClose={onClose}
    >
      <FormRadioGroup
        control={form.control}
        name="color"
        label={t('color')}
        inline
        options={MARK_COLORS.map((value) => ({ value, label: t(`color_${value}`) }))}
      />
      <p>
        {t('preview')}{' '}
        <PluginMark
          plugin={{ mark: { name: shown.text.trim() || t('preview_name'), lang: shown.lang, color } }}
        />
      </p>
    </EditNamed>
  );
}

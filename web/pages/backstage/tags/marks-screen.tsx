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
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, OrderedItems, useItemTask } from '../frame/item-list.tsx';
import { EditNamed, NamedRow, useNamed, useNamedForm } from './named-items.tsx';

/** Marks of plugins: names, colours and order. */
export function MarksScreen() {
  const t = useTranslations('markAdmin');
  const { language } = useSite();
  const nameOf = useNamed();
  const query = useQuery(queryOptionsOf('listManagedMarks', {}));
  const marks = query.data?.mark_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedMark>();
  return (
    <>
      <ItemsHeader texts="markAdmin" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={marks.length === 0}
        empty={<Notice icon={<AwardIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <OrderedItems
          label={t('title')}
          order={{ list: 'listManagedMarks', rows: 'mark_list', save: 'orderMarks' }}
          items={marks}
          nameOf={nameOf}
        >
          {marks.map((mark) => (
            <NamedRow
              key={mark.id}
              item={mark}
              title={
                <PluginMark plugin={{ mark: { name: nameOf(mark), lang: language, color: mark.color } }} />
              }
              operation="saveMark"
              payload={(is_hidden) => ({ id: mark.id, is_hidden })}
              actions={
                <ItemActions
                  name={nameOf(mark)}
                  onEdit={() => edit(mark)}
                  onDelete={mark.plugin_count === 0 ? () => remove(mark) : undefined}
                />
              }
            />
          ))}
        </OrderedItems>
      </PagedList>
      {edited && <EditMark mark={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="markAdmin"
          name={nameOf(deleted)}
          operation="deleteMark"
          payload={{ id: deleted.id }}
          inUse={{ reason: 'MARK_IN_USE', text: t('in_use') }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
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

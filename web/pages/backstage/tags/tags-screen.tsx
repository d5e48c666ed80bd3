import { useQuery } from '@tanstack/react-query';
import TagIcon from 'lucide-react/icons/tag';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormSelect } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { EditDialog } from '../frame/edit-dialogs.tsx';
import { ItemList } from '../frame/item-list.tsx';
import { EditNamed, NamedRow, useNamed, useNamedForm } from './named-items.tsx';

/** Tags of the catalogue: names, codes, order and plugins. */
export function TagsScreen() {
  const t = useTranslations('tagAdmin');
  const nameOf = useNamed();
  const [merged, setMerged] = useState<ManagedTag>();
  const query = useQuery(queryOptionsOf('listManagedTags', {}));
  const tags = query.data?.tag_list ?? [];
  return (
    <>
      <ItemList
        texts="tagAdmin"
        query={query}
        items={tags}
        nameOf={nameOf}
        label={t('title')}
        empty={<Notice icon={<TagIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
        order={{
          list: 'listManagedTags',
          rows: 'tag_list',
          save: 'orderTags',
        }}
        row={(tag, { name, sort, edit, remove }) => (
          <NamedRow
            item={tag}
            name={name}
            sort={sort}
            title={name}
            operation="saveTag"
            payload={(is_hidden) => ({ id: tag.id, is_hidden })}
            actions={
              <>
                {edit}
                {tag.plugin_count === 0 ? (
                  remove
                ) : (
                  <Button size="s" onClick={() => setMerged(tag)} aria-label={t('merge_named', { name })}>
                    {t('merge')}
                  </Button>
                )}
              </>
            }
          />
        )}
        form={(tag, onClose) => <EditTag tag={tag} onClose={onClose} />}
        deletion={({ id }) => ({
          children: t('delete_text'),
          operation: 'deleteTag',
          payload: { id },
          inUse: { reason: 'TAG_IN_USE', text: t('in_use') },
        })}
      />
      {merged && <MergeTag tag={merged} tags={tags} onClose={() => setMerged(undefined)} />}
    </>
  );
}

/** Adds a tag, or edits the code and names of one. */
function EditTag({ tag, onClose }: { tag: ManagedTag | undefined; onClose: () => void }) {
  const t = useTranslations('tagAdmin');
  const nameOf = useNamed();
  const { form } = useNamedForm(tag);
  return (
    <EditNamed
      texts="tagAdmin"
      title={tag ? t('edit_title', { name: nameOf(tag) }) : t('add_title')}
      form={form}
      hasCode
      limit={TEXT_LIMITS.tag}
      operation="saveTag"
      payload={({ code, name }) => ({ ...(tag && { id: tag.id }), code, name })}
      onClose={onClose}
    />
  );
}

type MergeProps = { tag: ManagedTag; tags: readonly ManagedTag[]; onClose: () => void };

/** Moves the plugins of a tag to another one. */
function MergeTag({ tag, tags, onClose }: MergeProps) {
  const t = useTranslations('tagAdmin');
  const nameOf = useNamed();
  const form = useForm({ defaultValues: { into: '' } });
  const into = useWatch({ control: form.control, name: 'into' });
  const target = tags.find(({ id }) => String(id) === into);
  const name = nameOf(tag);
  return (
    <EditDialog
      title={t('merge_title', { name })}
      confirmLabel={t('merge')}
      doneText={t('merged')}
      tone="danger"
      form={form}
      operation="mergeTags"
      payload={(values) => ({ id: tag.id, into_id: Number(values.into) })}
      onClose={onClose}
    >
      <FormSelect
        control={form.control}
        name="into"
        required={t('merge_choose')}
        label={t('merge_into')}
        placeholder={t('merge_choose')}
        options={tags
          .filter(({ id }) => id !== tag.id)
          .map((other) => ({ value: String(other.id), label: nameOf(other) }))}
      />
      <p role="status">
        {target
          ? t('merge_text', { count: tag.plugin_count, name, into: nameOf(target) })
          : t('plugins', { count: tag.plugin_count })}
      </p>
    </EditDialog>
  );
}

import { useQuery } from '@tanstack/react-query';
import TagIcon from 'lucide-react/icons/tag';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedTag } from '../../../../shared/entities/backstage.ts';
import { LANGUAGE_NAMES } from '../../../../shared/languages.ts';
import { useEditedLanguages } from '../../../api/edited-languages.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { Button } from '../../../ui/button/button.tsx';
import { FormSelect, FormTextArea } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog, EditDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, OrderedItems, useItemTask } from '../frame/item-list.tsx';
import styles from './named-items.module.css';
import { EditNamed, NamedRow, useNamed, useNamedForm } from './named-items.tsx';

/** Tags of the catalogue: names, codes, order and plugins. */
export function TagsScreen() {
  const t = useTranslations('tagAdmin');
  const nameOf = useNamed();
  const [merged, setMerged] = useState<ManagedTag>();
  const query = useQuery(queryOptionsOf('listManagedTags', {}));
  const tags = query.data?.tag_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedTag>();
  return (
    <>
      <ItemsHeader texts="tagAdmin" onAdd={add} />
      <PagedList
        query={query}
        isEmpty={tags.length === 0}
        empty={<Notice icon={<TagIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <OrderedItems
          label={t('title')}
          order={{ list: 'listManagedTags', rows: 'tag_list', save: 'orderTags' }}
          items={tags}
          nameOf={nameOf}
        >
          {tags.map((tag) => {
            const name = nameOf(tag);
            const isUsed = tag.plugin_count > 0;
            return (
              <NamedRow
                key={tag.id}
                item={tag}
                title={name}
                operation="saveTag"
                payload={(is_hidden) => ({ id: tag.id, is_hidden })}
                actions={
                  <ItemActions
                    name={name}
                    onEdit={() => edit(tag)}
                    onDelete={isUsed ? undefined : () => remove(tag)}
                  >
                    {isUsed && (
                      <Button size="s" onClick={() => setMerged(tag)} aria-label={t('merge_named', { name })}>
                        {t('merge')}
                      </Button>
                    )}
                  </ItemActions>
                }
              />
            );
          })}
        </OrderedItems>
      </PagedList>
      {edited && <EditTag tag={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="tagAdmin"
          name={nameOf(deleted)}
          operation="deleteTag"
          payload={{ id: deleted.id }}
          inUse={{ reason: 'TAG_IN_USE', text: t('in_use') }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
      {merged && <MergeTag tag={merged} tags={tags} onClose={() => setMerged(undefined)} />}
    </>
  );
}

/** Adds a tag, or edits the code, the names and the introductions of one. */
function EditTag({ tag, onClose }: { tag: ManagedTag | undefined; onClose: () => void }) {
  const t = useTranslations('tagAdmin');
  const nameOf = useNamed();
  const { form } = useNamedForm(tag);
  const languages = useEditedLanguages([tag?.name ?? {}, tag?.intro ?? {}]);
  return (
    <EditNamed
      texts="tagAdmin"
      title={tag ? t('edit_title', { name: nameOf(tag) }) : t('add_title')}
      form={form}
      hasCode
      limit={TEXT_LIMITS.tag}
      operation="saveTag"
      payload={({ code, name, intro }) => ({ ...(tag && { id: tag.id }), code, name, intro })}
      onClose={onClose}
    >
      <fieldset className={styles.intros}>
        <legend className={styles.legend}>{t('intros')}</legend>
        <p className={styles.hint}>{t('intros_hint')}</p>
        {languages.map((language) => (
          <FormTextArea
            key={language}
            control={form.control}
            name={`intro.${language}`}
            label={t('intro_in', { language: LANGUAGE_NAMES[language] })}
            lang={language}
            rows={2}
            maxLength={TEXT_LIMITS.tag_intro}
          />
        ))}
      </fieldset>
    </EditNamed>
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

import { useQuery } from '@tanstack/react-query';
import LayersIcon from 'lucide-react/icons/layers';
import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { ManagedWork } from '../../../../shared/entities/backstage.ts';
import { type Texts, textIn } from '../../../../shared/languages.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { ItemRow, useVisibility } from '../../../features/sorting/item-row.tsx';
import { useSiteTargets } from '../../../layout/header/targets/use-site-targets.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog, EditDialog } from '../frame/edit-dialogs.tsx';
import { ItemActions, ItemsHeader, OrderedItems, useItemTask } from '../frame/item-list.tsx';
import { PictureField } from '../frame/picture-field.tsx';
import { TitleField } from '../frame/title-field.tsx';
import { ActivityEditor, CountFields, typedCount } from './activity-editor.tsx';
import styles from './community-screen.module.css';

/** The header's community menu: featured works in order, and the activity card. */
export function CommunityScreen() {
  const t = useTranslations('featuredAdmin');
  const { language } = useSite();
  const query = useQuery(queryOptionsOf('listManagedWorks', {}));
  const works = query.data?.work_list ?? [];
  const { edited, deleted, add, edit, remove, close } = useItemTask<ManagedWork>();
  const nameOf = ({ id, title, default_lang }: ManagedWork): string =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
  const hasMenu = useSiteTargets().sections.some(
    (section) => section.name === 'community' && 'links' in section,
  );
  return (
    <>
      <ItemsHeader texts="featuredAdmin" onAdd={add} />
      {!hasMenu && <p className={styles.lead}>{t('no_menu')}</p>}
      <section className={styles.part} aria-labelledby="featured-works">
        <h2 id="featured-works" className={styles.heading}>
          {t('works')}
        </h2>
        <p className={styles.lead}>{t('works_lead')}</p>
        <PagedList
          query={query}
          isEmpty={works.length === 0}
          empty={<Notice icon={<LayersIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
        >
          <OrderedItems
            label={t('works')}
            order={{ list: 'listManagedWorks', rows: 'work_list', save: 'orderWorks' }}
            items={works}
            nameOf={nameOf}
          >
            {works.map((work) => (
              <WorkRow
                key={work.id}
                work={work}
                name={nameOf(work)}
                onEdit={() => edit(work)}
                onDelete={() => remove(work)}
              />
            ))}
          </OrderedItems>
        </PagedList>
      </section>
      <ActivityEditor />
      {edited && <EditWork work={edited.item} onClose={close} />}
      {deleted && (
        <DeleteDialog
          texts="featuredAdmin"
          name={nameOf(deleted)}
          operation="deleteWork"
          payload={{ id: deleted.id }}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type WorkProps = { work: ManagedWork; name: string; onEdit: () => void; onDelete: () => void };

/** One work: position, content, visibility, and actions. */
function WorkRow({ work, name, onEdit, onDelete }: WorkProps) {
  const t = useTranslations('featuredAdmin');
  const { id, picture, author, like_num, view_num, is_hidden, is_shown } = work;
  const { isShown, toggle } = useVisibility({
    label: t('show_named', { name }),
    isHidden: is_hidden,
    operation: 'saveWork',
    payload: (isHidden) => ({ id, is_hidden: isHidden }),
  });
  const state = isShown ? (is_shown ? 'shown' : 'waiting') : 'hidden';
  return (
    <ItemRow
      sort={{ id, name }}
      picture={picture}
      title={name}
      facts={
        <>
          <span>{author}</span>
          <span>{t('counts', { likes: like_num, views: view_num })}</span>
        </>
      }
      status={
        <Badge tone={TONES[state]} dot>
          {t(state)}
        </Badge>
      }
      toggle={toggle}
      actions={<ItemActions name={name} onEdit={onEdit} onDelete={onDelete} />}
    />
  );
}

const TONES = { shown: 'positive', waiting: 'neutral', hidden: 'warning' } as const;

type Values = {
  picture: File | null;
  title: Texts;
  author: string;
  link: string;
  likes: string;
  views: string;
};

function EditWork({ work, onClose }: { work: ManagedWork | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const common = useTranslations('common');
  const { language: own } = useSite();
  const form = useForm<Values>({
    defaultValues: {
      picture: null,
      title: work?.title ?? {},
      author: work?.author ?? '',
      link: work?.url ?? '',
      likes: String(work?.like_num ?? 0),
      views: String(work?.view_num ?? 0),
    },
  });
  const { control } = form;
  return (
    <EditDialog
      title={t(work ? 'edit_title' : 'add_title')}
      form={form}
      operation="saveWork"
      payload={({ picture, title, author, link, likes, views }) => ({
        ...(work && { id: work.id }),
        title,
        default_lang: work?.default_lang ?? own,
        author: author.trim(),
        url: link.trim(),
        like_num: typedCount(likes) ?? 0,
        view_num: typedCount(views) ?? 0,
        ...(picture && { picture }),
      })}
      picture="picture"
      errorMessages={{
        LINK_INVALID: { at: 'link', text: common('link_wrong') },
        WORK_LIMIT_REACHED: { at: 'root', text: t('full') },
      }}
      onClose={onClose}
    >
      <PictureField
        control={control}
        name="picture"
        label={common('picture')}
        hint={t('picture_hint')}
        stored={work?.picture ? pictureUrl(work.picture.key, work.picture.widths.at(-1) ?? 320) : null}
        missing={common('picture_missing')}
      />
      <TitleField
        control={control}
        name="title"
        missing={t('title_missing')}
        label={t('work_title')}
        languagesLabel={t('title_languages')}
        writtenLabel={common('written')}
        first={work?.default_lang ?? own}
      />
      <FormTextField
        control={control}
        name="author"
        check={(author) => (!isVisible(author) ? t('author_missing') : undefined)}
        label={t('author')}
        maxLength={TEXT_LIMITS.name}
      />
      <FormTextField
        control={control}
        name="link"
        check={(link) => (siteLink(link.trim()) === null ? common('link_wrong') : undefined)}
        label={common('link')}
        hint={t('link_hint')}
        inputMode="url"
        spellCheck={false}
      />
      <CountFields control={control} names={['likes', 'views']} />
    </EditDialog>
  );
}

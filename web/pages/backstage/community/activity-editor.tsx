import { useQuery } from '@tanstack/react-query';
import CalendarIcon from 'lucide-react/icons/calendar';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { type Control, type FieldPathByValue, type FieldValues, useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedActivity } from '../../../../shared/entities/backstage.ts';
import { pictureUrl } from '../../../../shared/media.ts';
import { siteLink } from '../../../../shared/site-link.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { ItemRow, useVisibility } from '../../../features/sorting/item-row.tsx';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { FormTextField } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog, EditDialog } from '../frame/edit-dialogs.tsx';
import { PictureField } from '../frame/picture-field.tsx';
import styles from './community-screen.module.css';

/** The activity card beside the featured works. */
export function ActivityEditor() {
  const t = useTranslations('featuredAdmin');
  const [task, setTask] = useState<'edit' | 'delete'>();
  const query = useQuery(queryOptionsOf('readManagedActivity', {}));
  const activity = query.data?.activity ?? undefined;
  const close = (): void => setTask(undefined);
  return (
    <section className={styles.part} aria-labelledby="activity-card">
      <h2 id="activity-card" className={styles.heading}>
        {t('activity')}
      </h2>
      <p className={styles.lead}>{t('activity_lead')}</p>
      <PagedList
        query={query}
        isEmpty={activity === undefined}
        empty={
          <Notice
            icon={<CalendarIcon size={22} />}
            title={t('activity_empty_title')}
            text={t('activity_empty_text')}
            action={
              <Button onClick={() => setTask('edit')}>
                <PlusIcon />
                {t('activity_make')}
              </Button>
            }
          />
        }
      >
        {activity && <ActivityRow activity={activity} onAsk={setTask} />}
      </PagedList>
      {task === 'edit' && <EditActivity activity={activity} onClose={close} />}
      {task === 'delete' && (
        <DeleteDialog
          texts="featuredAdmin"
          title={t('activity_delete_title')}
          operation="deleteActivity"
          payload={{}}
          onClose={close}
        >
          {t('activity_delete_text')}
        </DeleteDialog>
      )}
    </section>
  );
}

type RowProps = { activity: ManagedActivity; onAsk: (what: 'edit' | 'delete') => void };

function ActivityRow({ activity, onAsk }: RowProps) {
  const t = useTranslations('featuredAdmin');
  const common = useTranslations('common');
  const { cover, participate_num, view_num, tutorial_url, is_hidden } = activity;
  const { isShown, toggle } = useVisibility({
    label: t('activity_show'),
    isHidden: is_hidden,
    operation: 'saveActivity',
    payload: (isHidden) => ({ is_hidden: isHidden }),
  });
  return (
    <ItemRow
      picture={cover}
      title={t('activity_counts', { participants: participate_num, views: view_num })}
      facts={tutorial_url || t('no_link')}
      status={
        <Badge tone={isShown ? 'positive' : 'warning'} dot>
          {t(isShown ? 'shown' : 'hidden')}
        </Badge>
      }
      toggle={toggle}
      actions={
        <>
          <Button size="s" onClick={() => onAsk('edit')} aria-label={t('activity_edit')}>
            {common('edit')}
          </Button>
          <Button size="s" onClick={() => onAsk('delete')} aria-label={t('activity_delete')}>
            {common('delete')}
          </Button>
        </>
      }
    />
  );
}

type Values = { cover: File | null; participants: string; views: string; link: string };

/** Creates or edits the card. */
function EditActivity({ activity, onClose }: { activity: ManagedActivity | undefined; onClose: () => void }) {
  const t = useTranslations('featuredAdmin');
  const common = useTranslations('common');
  const form = useForm<Values>({
    defaultValues: {
      cover: null,
      participants: String(activity?.participate_num ?? 0),
      views: String(activity?.view_num ?? 0),
      link: activity?.tutorial_url ?? '',
    },
  });
  const { control } = form;
  return (
    <EditDialog
      title={t(activity ? 'activity_edit_title' : 'activity_make')}
      form={form}
      operation="saveActivity"
      payload={({ cover, participants, views, link }) => ({
        participate_num: typedCount(participants) ?? 0,
        view_num: typedCount(views) ?? 0,
        tutorial_url: link.trim(),
        ...(cover && { cover }),
      })}
      picture="cover"
      errorMessages={{ LINK_INVALID: { at: 'link', text: common('link_wrong') } }}
      onClose={onClose}
    >
      <PictureField
        control={control}
        name="cover"
        label={t('cover')}
        hint={t('cover_hint')}
        stored={activity?.cover ? pictureUrl(activity.cover.key, activity.cover.widths.at(-1) ?? 320) : null}
      />
      <CountFields control={control} names={['participants', 'views']} />
      <FormTextField
        control={control}
        name="link"
        check={(link) =>
          link.trim() !== '' && siteLink(link.trim()) === null ? common('link_wrong') : undefined
        }
        label={t('tutorial')}
        hint={t('tutorial_hint')}
        inputMode="url"
        spellCheck={false}
      />
    </EditDialog>
  );
}

type CountName = 'likes' | 'participants' | 'views';

/** Number inputs side by side. */
export function CountFields<V extends FieldValues, N extends CountName & FieldPathByValue<V, string>>({
  control,
  names,
}: {
  control: Control<V>;
  names: readonly N[];
}) {
  const t = useTranslations('featuredAdmin');
  const labelOf = (name: CountName): string => t(name);
  return (
    <div className={styles.pair}>
      {names.map((name) => (
        <FormTextField
          key={name}
          control={control}
          name={name}
          check={(text) => (typedCount(text) === undefined ? t('count_wrong') : undefined)}
          label={labelOf(name)}
          inputMode="numeric"
        />
      ))}
    </div>
  );
}

const COUNT_MAX = 1_000_000_000;

/** Parses a typed count; undefined when invalid. */
export function typedCount(text: string): number | undefined {
  const plain = text.trim();
  return /^\d{1,10}$/.test(plain) && Number(plain) <= COUNT_MAX ? Number(plain) : undefined;
}

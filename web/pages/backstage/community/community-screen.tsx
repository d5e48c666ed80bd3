import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { ManagedWork } from '../../../../shared/entities/backstage.ts';
import { textIn } from '../../../../shared/languages.ts';
import { pictureSrcset, pictureUrl } from '../../../../shared/media.ts';
import { call } from '../../../api/client.ts';
import { failureText } from '../../../api/error-text.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { useSite } from '../../../api/site-context.ts';
import { Badge } from '../../../ui/badge/badge.tsx';
import { Button } from '../../../ui/button/button.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { PlusIcon } from '../../../ui/icon/sign-icons.tsx';
import { LayersIcon } from '../../../ui/icon/thing-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { Switch } from '../../../ui/switch/switch.tsx';
import { useToast } from '../../../ui/toast/toast-context.ts';
import { PagedList } from '../../paged-list.tsx';
import { DeleteDialog } from '../frame/delete-dialog.tsx';
import { SortableList, SortableRow } from '../frame/sortable-list.tsx';
import { useSaveOrder } from '../frame/use-save-order.ts';
import { ActivityPart } from './activity-part.tsx';
import styles from './community-screen.module.css';
import { EditWork, useWorksChanged } from './work-dialogs.tsx';

type Task = { kind: 'add' } | { kind: 'edit' | 'delete'; work: ManagedWork };

/** What the header's menu of the community shows: featured works in their order, and the activity card. */
export function CommunityScreen() {
  const t = useTranslations('featuredAdmin');
  const { language } = useSite();
  const [task, setTask] = useState<Task>();
  const query = useQuery(queryOptionsOf('listManagedWorks', {}));
  const order = useSaveOrder({
    texts: 'featuredAdmin',
    list: 'listManagedWorks',
    rows: 'work_list',
    save: 'orderWorks',
    alsoIn: ['listFeaturedWorks'],
  });
  const worksChanged = useWorksChanged();
  const works = query.data?.work_list ?? [];
  const byId = new Map<string | number, ManagedWork>(works.map((work) => [work.id, work]));
  const nameOf = ({ id, title, default_lang }: ManagedWork): string =>
    textIn(title, language, default_lang).text || t('untitled', { id: String(id) });
  const nameOfId = (id: string | number): string => {
    const work = byId.get(id);
    return work ? nameOf(work) : '';
  };
  const close = (): void => setTask(undefined);
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          <Button variant="primary" onClick={() => setTask({ kind: 'add' })}>
            <PlusIcon />
            {t('add')}
          </Button>
        }
      />
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
          <SortableList
            label={t('works')}
            className={styles.list}
            ids={works.map(({ id }) => id)}
            nameOf={nameOfId}
            onOrder={(ids) => order.mutate(ids)}
          >
            {works.map((work) => (
              <WorkRow
                key={work.id}
                work={work}
                name={nameOf(work)}
                onAsk={(kind) => setTask({ kind, work })}
              />
            ))}
          </SortableList>
        </PagedList>
      </section>
      <ActivityPart />
      {task?.kind === 'add' && <EditWork work={undefined} onClose={close} />}
      {task?.kind === 'edit' && <EditWork work={task.work} onClose={close} />}
      {task?.kind === 'delete' && (
        <DeleteDialog
          texts="featuredAdmin"
          name={nameOf(task.work)}
          remove={() => call('deleteWork', { id: task.work.id })}
          refresh={worksChanged}
          onClose={close}
        >
          {t('delete_text')}
        </DeleteDialog>
      )}
    </>
  );
}

type RowProps = { work: ManagedWork; name: string; onAsk: (what: 'edit' | 'delete') => void };

/** One work: its place, what it shows, whether visitors see it, and what can be done with it. */
function WorkRow({ work, name, onAsk }: RowProps) {
  const t = useTranslations('featuredAdmin');
  const toast = useToast();
  const worksChanged = useWorksChanged();
  const show = useMutation({
    mutationFn: (isOn: boolean) => call('saveWork', { id: work.id, is_hidden: !isOn }),
    onSuccess: worksChanged,
    onError: (error) => toast({ kind: 'failure', text: failureText(t('failed'), error) }),
  });
  const isOn = show.isPending ? show.variables : !work.is_hidden;
  const { picture, author, like_num, view_num, is_shown } = work;
  return (
    <SortableRow
      id={work.id}
      name={name}
      moveLabel={t('move', { name })}
      className={styles.row}
      orderClassName={styles.order}
    >
      {picture ? (
        <img
          className={styles.picture}
          src={pictureUrl(picture.key, picture.widths[0] ?? picture.width)}
          srcSet={pictureSrcset(picture.key, picture.widths)}
          sizes="120px"
          alt=""
        />
      ) : (
        <span className={classNames(styles.picture, styles.noPicture)}>{t('no_picture')}</span>
      )}
      <div className={styles.texts}>
        <p className={styles.name}>{name}</p>
        <p className={styles.facts}>{author}</p>
        <p className={styles.facts}>{t('counts', { likes: like_num, views: view_num })}</p>
        {is_shown && isOn ? (
          <Badge tone="positive">{t('shown')}</Badge>
        ) : (
          <Badge tone={isOn ? 'neutral' : 'warning'}>{t(isOn ? 'waiting' : 'hidden')}</Badge>
        )}
      </div>
      <div className={styles.show}>
        <Switch
          label={t('show_named', { name })}
          hideLabel
          checked={isOn}
          disabled={show.isPending}
          onChange={(on) => show.mutate(on)}
        />
      </div>
      <div className={styles.actions}>
        <Button size="s" onClick={() => onAsk('edit')} aria-label={t('edit_named', { name })}>
          {t('edit')}
        </Button>
        <Button size="s" onClick={() => onAsk('delete')} aria-label={t('delete_named', { name })}>
          {t('delete')}
        </Button>
      </div>
    </SortableRow>
  );
}

import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import LayoutGridIcon from 'lucide-react/icons/layout-grid';
import { useState } from 'react';
import { useForm, useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { queryOptionsOf } from '../../../api/queries.ts';
import { ConfirmDialog } from '../../../ui/confirm-dialog/confirm-dialog.tsx';
import { FormRadioGroup } from '../../../ui/form-fields.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { Skeleton } from '../../../ui/skeleton/skeleton.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { DeprecationDialog } from '../../deprecation/deprecation-dialog.tsx';
import { PagedList } from '../../paged-list.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { useListFilter } from '../filters/list-filter.ts';
import { DeleteDialog, EditDialog } from '../frame/edit-dialogs.tsx';
import { useNamed } from '../tags/named-items.tsx';
import styles from './manage.module.css';
import { managedQuery, SORTS, useSetting } from './managed-query.ts';
import { type Confirmation, ManagedRow } from './managed-row.tsx';
import { WithdrawalDialog } from './withdrawal-dialog.tsx';

/** Filtered and sorted plugins with their settings. */
export function ManagedPlugins() {
  const t = useTranslations('manage');
  const { filter, change, query: parameters, setParameters } = useListFilter('all');
  const sort = SORTS.find((name) => name === parameters.get('sort')) ?? 'latest';
  const [confirming, setConfirming] = useState<Confirmation>();
  const query = useInfiniteQuery({
    ...managedQuery(filter, sort),
    placeholderData: (previous) => previous,
  });
  const plugins = query.data?.pages.flatMap((page) => page.plugin_list) ?? [];
  const first = query.data?.pages[0];
  const close = (): void => setConfirming(undefined);
  return (
    <>
      <FilterBar filter={filter} onChange={change}>
        <Select
          className={styles.sort}
          label={t('sort')}
          hideLabel
          value={sort}
          onChange={(value) => setParameters({ sort: value })}
          options={SORTS.map((value) => ({ value, label: t(`sort_${value}`) }))}
        />
      </FilterBar>
      <PagedList
        query={query}
        isEmpty={plugins.length === 0}
        empty={<Notice icon={<LayoutGridIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <p className={styles.total}>
          {first && t(first.total_estimated ? 'total_at_least' : 'total', { count: first.total })}
        </p>
        <ManagedTable plugins={plugins} busy={query.isPlaceholderData} onAction={setConfirming} />
      </PagedList>
      {confirming?.what === 'silent' && <ConfirmSilent managed={confirming.managed} onClose={close} />}
      {confirming?.what === 'mark' && <MarkPlugin managed={confirming.managed} onClose={close} />}
      {confirming?.what === 'deprecation' && (
        <DeprecationDialog plugin={confirming.managed.plugin} onClose={close} />
      )}
      {confirming?.what === 'withdrawal' && <WithdrawalDialog managed={confirming.managed} onClose={close} />}
      {confirming?.what === 'delete' && (
        <DeleteDialog
          texts="manage"
          name={confirming.managed.plugin.name}
          operation="deletePlugin"
          payload={{ plugin_key: confirming.managed.plugin.plugin_key }}
          onClose={close}
        >
          <p>{t('delete_text')}</p>
        </DeleteDialog>
      )}
    </>
  );
}

/** Explains default installs before one is turned on or off. */
function ConfirmSilent({ managed, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('manage');
  const setting = useSetting('silent');
  const { plugin, is_silent } = managed;
  return (
    <ConfirmDialog
      open
      title={t(is_silent ? 'silent_off_title' : 'silent_on_title', { name: plugin.name })}
      confirmLabel={t(is_silent ? 'silent_off' : 'silent_on')}
      busy={setting.isPending}
      onConfirm={() =>
        setting.mutate({ plugin_key: plugin.plugin_key, isOn: !is_silent }, { onSettled: onClose })
      }
      onClose={onClose}
    >
      <p>{t(is_silent ? 'silent_off_text' : 'silent_on_text')}</p>
    </ConfirmDialog>
  );
}

/** Sets or removes the mark of a plugin. */
function MarkPlugin({ managed: { plugin }, onClose }: { managed: ManagedPlugin; onClose: () => void }) {
  const t = useTranslations('markAdmin');
  const common = useTranslations('common');
  const nameOf = useNamed();
  const { data, error } = useQuery(queryOptionsOf('listManagedMarks', {}));
  const form = useForm({ defaultValues: { code: plugin.plugin_mark } });
  const code = useWatch({ control: form.control, name: 'code' });
  const marks = (data?.mark_list ?? []).map((mark) => {
    const name = nameOf(mark);
    return { value: mark.code, label: mark.is_hidden ? t('hidden_named', { name }) : name };
  });
  return (
    <EditDialog
      title={t('put_title', { name: plugin.name })}
      doneText={t(code === '' ? 'taken_off' : 'put_on')}
      form={form}
      operation="markPlugin"
      payload={(values) => ({ plugin_key: plugin.plugin_key, plugin_mark: values.code })}
      isReady={data !== undefined}
      onClose={onClose}
    >
      {data ? (
        <FormRadioGroup
          control={form.control}
          name="code"
          label={t('title')}
          hideLabel
          options={[{ value: '', label: t('none') }, ...marks]}
        />
      ) : error ? (
        <p role="alert">{common('failed')}</p>
      ) : (
        <Skeleton shape="block" />
      )}
    </EditDialog>
  );
}

type Props = { plugins: readonly ManagedPlugin[]; busy: boolean; onAction: (action: Confirmation) => void };

function ManagedTable({ plugins, busy, onAction }: Props) {
  const t = useTranslations('manage');
  return (
    <Table caption={t('title')} hideCaption busy={busy} width="wide" hasActions>
      <thead>
        <tr>
          <th scope="col">{t('plugin')}</th>
          <th scope="col">{t('status')}</th>
          <th scope="col" className={styles.number}>
            {t('installs')}
          </th>
          <th scope="col" className={styles.number}>
            {t('likes')}
          </th>
          <th scope="col" className={styles.number}>
            {t('views')}
          </th>
          <th scope="col" className={styles.number}>
            {t('reports')}
          </th>
          <th scope="col" className={styles.setting}>
            {t('recommend')}
          </th>
          <th scope="col" className={styles.setting}>
            {t('silent')}
          </th>
          <th scope="col">{t('actions')}</th>
        </tr>
      </thead>
      <tbody>
        {plugins.map((managed) => (
          <ManagedRow key={managed.plugin.plugin_key} managed={managed} onAction={onAction} />
        ))}
      </tbody>
    </Table>
  );
}

import type { MouseEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { useTranslations } from 'use-intl';
import { BASE_PATH } from '../../../../shared/constants.ts';
import type { ManagedPlugin } from '../../../../shared/entities/backstage.ts';
import { InstallIcon, TrashIcon } from '../../../ui/icon/action-icons.tsx';
import { ChartIcon, MarkIcon } from '../../../ui/icon/backstage-icons.tsx';
import { PencilIcon } from '../../../ui/icon/file-icons.tsx';
import { EyeIcon } from '../../../ui/icon/thing-icons.tsx';
import { HiddenIcon, MoreIcon } from '../../../ui/icon/work-icons.tsx';
import { Menu } from '../../../ui/menu/menu.tsx';
import { screenPath } from '../frame/screens.ts';
import { usePackageDownload } from './use-package-download.ts';
import { useSetting } from './use-setting.ts';

/** What else can be done with a plugin. */
export function ActionsMenu({
  managed,
  onMark,
  onDelete,
}: {
  managed: ManagedPlugin;
  onMark: () => void;
  onDelete: () => void;
}) {
  const t = useTranslations('manage');
  const navigate = useNavigate();
  const hide = useSetting('hidden');
  const packages = usePackageDownload();
  const { plugin, is_hidden } = managed;
  const { plugin_key, name } = plugin;
  const query = `?${new URLSearchParams({ plugin_key })}`;
  const link = (href: string) => ({
    href,
    onSelect: (event: MouseEvent) => {
      event.preventDefault();
      navigate(href);
    },
  });
  return (
    <Menu
      label={t('actions_named', { name })}
      variant="quiet"
      size="s"
      square
      items={[
        {
          key: 'edit',
          label: t('edit'),
          icon: <PencilIcon />,
          ...link(`${BASE_PATH}publish-plugin/single${query}`),
        },
        {
          key: 'figures',
          label: t('figures'),
          icon: <ChartIcon />,
          ...link(`${screenPath('overview')}${query}`),
        },
        {
          key: 'download',
          label: t('download'),
          icon: <InstallIcon />,
          onSelect: () => packages.save(plugin_key),
        },
        {
          key: 'hide',
          label: t(is_hidden ? 'show' : 'hide'),
          icon: is_hidden ? <EyeIcon /> : <HiddenIcon />,
          onSelect: () => hide.mutate({ plugin_key, isOn: !is_hidden }),
        },
        { key: 'mark', label: t('mark'), icon: <MarkIcon />, onSelect: onMark },
        { key: 'delete', label: t('delete'), icon: <TrashIcon />, onSelect: onDelete },
      ]}
    >
      <MoreIcon size={18} />
    </Menu>
  );
}

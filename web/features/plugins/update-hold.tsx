import EllipsisIcon from 'lucide-react/icons/ellipsis';
import PauseIcon from 'lucide-react/icons/pause';
import PinIcon from 'lucide-react/icons/pin';
import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { Hold, Installation } from '../../../shared/entities/plugin.ts';
import { useOperation } from '../../api/use-operation.ts';
import type { ButtonLook } from '../../ui/button/button-class.ts';
import { Menu, type MenuItem } from '../../ui/menu/menu.tsx';

type UpdateHoldProps = ButtonLook & {
  plugin: { plugin_key: string; name: string };
  installation: Pick<Installation, 'version' | 'hold' | 'trial'>;
  /** Below the choices of an installed version. */
  more?: MenuItem;
};

const DONE = { pinned: 'hold_pinned', paused: 'hold_paused' } as const;

/** Pins the installed version or pauses updates, and lets them go on; nothing for a trial. */
export function UpdateHold({ plugin, installation, more, ...rest }: UpdateHoldProps) {
  const t = useTranslations('installation');
  const { hold = null, version, trial } = installation;
  const { mutate } = useOperation(
    'holdUpdates',
    (kind: Hold | null) => ({ plugin_key: plugin.plugin_key, hold: kind }),
    {
      done: (_told, kind) => t(kind === null ? 'hold_ended' : DONE[kind]),
      failed: t('hold_failed'),
      failsIn: 'toast',
      scope: { id: `hold ${plugin.plugin_key}` },
    },
  );
  const kept = hold?.version ?? version;
  if (trial || kept === '') return null;
  const choice = (kind: Hold, label: string, icon: ReactNode) => ({
    key: kind,
    label,
    icon,
    checked: hold?.kind === kind,
    onSelect: () => mutate(hold?.kind === kind ? null : kind),
  });
  // A version that is withdrawn can be let go, but not kept again.
  const offered = version === '' ? hold?.kind : undefined;
  return (
    <Menu
      {...rest}
      label={t('updates_named', { name: plugin.name })}
      items={[
        choice('pinned', t('pin', { version: kept }), <PinIcon />),
        choice('paused', t('pause'), <PauseIcon />),
        ...(more ? [more] : []),
      ].filter(({ key }) => offered === undefined || key === offered || key === more?.key)}
    >
      <EllipsisIcon size={18} />
    </Menu>
  );
}

/** What the visitor has decided about updates, in words. */
export function HoldNote({ hold }: { hold: Installation['hold'] }) {
  const t = useTranslations('installation');
  if (!hold) return null;
  return t(hold.kind === 'pinned' ? 'pinned_to' : 'paused_at', { version: hold.version });
}

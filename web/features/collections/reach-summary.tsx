import { useTranslations } from 'use-intl';
import { NewRights } from '../plugins/index.ts';

type Rights = { domains: readonly string[]; permissions: readonly string[] };

/** One summary of what several plugins may reach together. */
export function ReachSummary({ plugins }: { plugins: readonly Rights[] }) {
  const t = useTranslations('collections');
  const domains = unique(plugins.flatMap((one) => one.domains));
  const permissions = unique(plugins.flatMap((one) => one.permissions));
  const reachesNothing = domains.length === 0 && permissions.length === 0;
  return (
    <>
      <p>{t(reachesNothing ? 'reach_nothing' : 'reach_text')}</p>
      <NewRights domains={domains} permissions={permissions} />
    </>
  );
}

function unique(names: readonly string[]): string[] {
  return [...new Set(names)].toSorted();
}

import { siteVariant } from '../../../../shared/deploy-types.ts';
import { useSite } from '../../../api/site-context.ts';
import { useSiteAddress } from '../../site-address.ts';
import { useClientContext } from '../../use-client-context.ts';
import type { SiteTargets } from './target.ts';
import { targetsOf } from './targets-of.ts';

/** The navigation of this site, without pages that it doesn't have. */
export function useSiteTargets(): SiteTargets {
  const { deploy_type, language } = useSite();
  const { embedded } = useClientContext();
  const addressOf = useSiteAddress();
  return targetsOf(siteVariant(deploy_type), {
    embedded,
    exists: (path) => addressOf(typeof path === 'string' ? path : path[language]) !== undefined,
  });
}

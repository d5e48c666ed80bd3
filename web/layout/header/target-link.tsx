import type { ReactNode } from 'react';
import { Link, useLocation } from 'react-router-dom';
import { BASE_PATH } from '../../../shared/constants.ts';
import { useSite } from '../../api/site-context.ts';
import { useSiteAddress } from '../site-address.ts';
import { useClientContext } from '../use-client-context.ts';
import type { Path } from './targets/target.ts';

type Props = {
  path: Path;
  newWindow?: boolean | undefined;
  className: string | undefined;
  onClick?: () => void;
  children: ReactNode;
};

/** A link within the wider site or this one. Inside a workplace chat all open in the same window. */
export function TargetLink({ path, newWindow = false, className, onClick, children }: Props) {
  const { language } = useSite();
  const { embedded } = useClientContext();
  const { pathname } = useLocation();
  const addressOf = useSiteAddress();
  const own = typeof path === 'string' ? path : path[language];
  const shared = { className, onClick };
  if (own.startsWith(BASE_PATH))
    return (
      <Link {...shared} to={own} aria-current={own === pathname ? 'page' : undefined}>
        {children}
      </Link>
    );
  return (
    <a
      {...shared}
      href={addressOf(own)}
      {...(newWindow && !embedded && { target: '_blank', rel: 'noopener' })}
    >
      {children}
    </a>
  );
}

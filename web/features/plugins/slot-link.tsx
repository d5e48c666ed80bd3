import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { BASE_PATH } from '../../../shared/constants.ts';

type Props = { link: string; className?: string | undefined; children: ReactNode };

/** Leads where an administrator meant it to: within this site without a reload, elsewhere in a new tab. */
export function SlotLink({ link, className, children }: Props) {
  if (link.startsWith(BASE_PATH)) {
    return (
      <Link to={link} state={{ stepsFromList: 1 }} className={className}>
        {children}
      </Link>
    );
  }
  const isOwn = link.startsWith('/');
  return (
    <a href={link} className={className} {...(!isOwn && { target: '_blank', rel: 'noopener noreferrer' })}>
      {children}
    </a>
  );
}

import { Link } from 'react-router-dom';
import type { PublicUser } from '../../../shared/entities/user.ts';
import { publisherPath } from './publisher-path.ts';
import { VerifiedMark } from './verified-mark.tsx';

type Props = {
  publisher: Pick<PublicUser, 'nick_name' | 'is_deleted' | 'handle' | 'verified'>;
  /** In place of the name of a deleted account. */
  deleted: string;
  className?: string | undefined;
};

/** The name of a publisher, with a link to their page where the service has pages, and their mark if they are verified. */
export function PublisherLink({ publisher, deleted, className }: Props) {
  const { handle, nick_name, is_deleted, verified } = publisher;
  if (is_deleted) return deleted;
  if (handle === undefined || nick_name === '') return nick_name;
  return (
    <>
      <Link to={publisherPath(handle)} className={className}>
        {nick_name}
      </Link>
      {verified !== undefined && <VerifiedMark verified={verified} />}
    </>
  );
}

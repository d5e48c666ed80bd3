import { Link } from 'react-router-dom';
import type { PublicUser } from '../../../shared/entities/user.ts';
import { publisherPath } from './publisher-path.ts';

type Props = {
  publisher: Pick<PublicUser, 'nick_name' | 'is_deleted' | 'handle'>;
  /** In place of the name of a deleted account. */
  deleted: string;
  className?: string | undefined;
};

/** The name of a publisher, with a link to their page where the service has pages. */
export function PublisherLink({ publisher, deleted, className }: Props) {
  const { handle, nick_name, is_deleted } = publisher;
  if (is_deleted) return deleted;
  if (handle === undefined || nick_name === '') return nick_name;
  return (
    <Link to={publisherPath(handle)} className={className}>
      {nick_name}
    </Link>
  );
}

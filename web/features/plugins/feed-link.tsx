import RssIcon from 'lucide-react/icons/rss';
import { buttonClass } from '../../ui/button/button-class.ts';

/** Link to an Atom feed. */
export function FeedLink({ path, text }: { path: string; text: string }) {
  return (
    <a className={buttonClass({ variant: 'quiet', size: 's' })} href={path} type="application/atom+xml">
      <RssIcon size={14} />
      {text}
    </a>
  );
}

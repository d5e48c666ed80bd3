import { ExternalIcon } from '../../../ui/icon/way-icons.tsx';
import styles from './plugin-facts.module.css';

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/;

/** What a publisher gave as address: a link when it is a web or mail address and nothing else, text otherwise. */
export function ContactText({ text }: { text: string }) {
  if (EMAIL.test(text))
    return (
      <a className={styles.link} href={`mailto:${text}`}>
        {text}
      </a>
    );
  const address = URL.parse(text);
  if (address?.protocol !== 'https:' && address?.protocol !== 'http:') return text;
  return (
    <a className={styles.link} href={address.href} target="_blank" rel="noopener noreferrer nofollow ugc">
      {address.host}
      <ExternalIcon size={13} />
    </a>
  );
}

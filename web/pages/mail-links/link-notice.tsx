import { buttonClass } from '../../ui/button/button-class.ts';
import { FormAlert } from '../sign-in/form-alert.tsx';
import styles from '../sign-in/reset/reset-page.module.css';

type LinkNoticeProps = { text: string; href: string; label: string };

/** An expired or used mail link, with a way to request another. */
export function LinkNotice({ text, href, label }: LinkNoticeProps) {
  return (
    <div className={styles.form}>
      <FormAlert text={text} />
      <a className={buttonClass({ variant: 'primary', size: 'l' })} href={href}>
        {label}
      </a>
    </div>
  );
}

import { useTranslations } from 'use-intl';
import styles from './sign-in-page.module.css';

type Props = {
  /** What the deployment calls the document service; what a link calls it is nobody's word. */
  app: string;
  /** The person has an account here, to which that of the document service is to be bound. */
  binds: boolean;
};

/** For users who come from a document service: where they go on, or what they sign in for. */
export function ComingFrom({ app, binds }: Props) {
  const t = useTranslations('signIn');
  return <p className={styles.from}>{t(binds ? 'bind_lead' : 'from_app', { app })}</p>;
}

import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import { queryOptionsOf } from '../../api/queries.ts';
import { usePageHead } from '../../layout/page-head.tsx';
import { Link } from '../../routing/link.tsx';
import { useSearchParams } from '../../routing/use-search-params.ts';
import { AccountForm } from './account-form.tsx';
import { NoTarget } from './no-target.tsx';
import { OtherPages } from './other-pages.tsx';
import { SignInFrame } from './sign-in-frame.tsx';
import styles from './sign-in-page.module.css';
import { queryForMode, signInMode, signInParameters } from './sign-in-parameters.ts';
import { SsoError } from './sso-error.tsx';
import { StraightThere } from './straight-there.tsx';

/** What holds until the service has said what it offers. */
const USUAL: { methods: SignInOffer[]; sign_up: boolean; password_min: number } = {
  methods: [{ source: 'local', method: 'local', kind: 'password', label: null }],
  sign_up: true,
  password_min: 10,
};

/** Parameter by which a sign-in elsewhere tells why it did not work. */
const SSO_ERROR = 'sso_error';

/** The page of our own user service to sign in and up (specification section 2, "Login page"). */
export function SignInPage() {
  const t = useTranslations('signIn');
  const [query] = useSearchParams();
  const { data: options = USUAL } = useQuery(queryOptionsOf('readSignInOptions', {}));
  const mode = options.sign_up ? signInMode(query) : 'sign_in';
  const other = mode === 'sign_in' ? 'sign_up' : 'sign_in';
  const parameters = signInParameters(query);
  const title = t(mode === 'sign_in' ? 'title' : 'sign_up_title');
  usePageHead({ title: parameters ? title : t('no_target_title') });
  if (!parameters)
    return (
      <SignInFrame>
        <NoTarget />
      </SignInFrame>
    );
  const ssoError = query.get(SSO_ERROR);
  const elsewhere = options.methods.filter(({ kind }) => kind === 'redirect');
  const hasForm = elsewhere.length < options.methods.length;
  const [only] = elsewhere;
  const isStraight = !hasForm && elsewhere.length === 1 && ssoError === null;
  return (
    <SignInFrame compact={parameters.ux_mode === 'auth'}>
      <h1 className={styles.title}>{title}</h1>
      {ssoError !== null && <SsoError code={ssoError} />}
      {options.sign_up && (
        <p className={styles.other}>
          {t(`to_${other}`)}{' '}
          <Link className={styles.link} to={queryForMode(query, other)} replace>
            {t(`to_${other}_link`)}
          </Link>
        </p>
      )}
      {hasForm && (
        <AccountForm key={mode} mode={mode} parameters={parameters} passwordMin={options.password_min} />
      )}
      {only && isStraight && <StraightThere offer={only} parameters={parameters} />}
      {only && !isStraight && mode === 'sign_in' && (
        <OtherPages offers={elsewhere} parameters={parameters} alone={!hasForm} />
      )}
    </SignInFrame>
  );
}

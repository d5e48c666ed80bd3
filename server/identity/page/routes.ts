import type { FastifyInstance } from 'fastify';
import { type SignInOffer, signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { PASSWORD_MIN } from '../accounts/password-rules.ts';
import type { IdentityContext } from '../context.ts';
import type { SignInMethod } from '../methods/method.ts';
import { serveSso } from '../sso/routes.ts';
import { signIn } from './sign-in.ts';
import { mayEverybodySignUp, signUp } from './sign-up.ts';

/** Nobody is signed in yet on the sign-in page, so what is not for all is for none. */
const openOnly: Guard = async (route) => {
  if (route.access !== 'all') throw appError('UNAUTHENTICATED');
};

const offerOf = ({ source, name, kind, label }: SignInMethod): SignInOffer => ({
  source,
  method: name,
  kind: kind === 'redirect' ? 'redirect' : 'password',
  label,
});

/** The calls of the sign-in page. */
export async function servePage(app: FastifyInstance, identity: IdentityContext): Promise<void> {
  implement(app, openOnly, signInRoutes.readSignInOptions, () => ({
    methods: identity.methods.map(offerOf),
    sign_up: mayEverybodySignUp(identity),
    password_min: PASSWORD_MIN,
  }));
  implement(app, openOnly, signInRoutes.signIn, signIn(identity));
  implement(app, openOnly, signInRoutes.signUp, signUp(identity));
  await serveSso(app, openOnly, identity);
}

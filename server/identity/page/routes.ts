import type { FastifyInstance } from 'fastify';
import { passwordRoutes } from '../../../shared/routes/password.ts';
import { type SignInOffer, signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { PASSWORD_MIN } from '../accounts/password-rules.ts';
import type { IdentityContext } from '../context.ts';
import { documentSources } from '../federation/document-service.ts';
import type { SignInMethod } from '../federation/method.ts';
import { mayEverybodySignUp } from '../federation/methods.ts';
import { serveFederation } from '../federation/routes.ts';
import { askReset } from '../password/ask-reset.ts';
import { finishReset } from '../password/finish-reset.ts';
import { removeLeftSecondFactor } from '../password/left-second-factor.ts';
import { finishEnrolment, passSecondFactor } from '../second-factor/challenge/pass.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { finishSignUp } from './sign-up-by-mail.ts';

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

/** Passwords are ours to reset where local accounts sign in. */
function resetBy({ methods, mailer }: IdentityContext): 'mail' | 'administrator' | null {
  if (!methods.some(({ kind }) => kind === 'local')) return null;
  return mailer ? 'mail' : 'administrator';
}

/** The calls of the sign-in page. */
export async function servePage(app: FastifyInstance, identity: IdentityContext): Promise<void> {
  implement(app, openOnly, signInRoutes.readSignInOptions, () => ({
    methods: identity.methods.map(offerOf),
    document_services: documentSources(identity.methods).map(({ method: { source }, service }) => ({
      source,
      ...service,
    })),
    sign_up: mayEverybodySignUp(identity),
    sign_up_by_mail: mayEverybodySignUp(identity) && identity.mailer !== undefined,
    password_min: PASSWORD_MIN,
    reset: resetBy(identity),
  }));
  implement(app, openOnly, signInRoutes.signIn, signIn(identity));
  implement(app, openOnly, signInRoutes.passSecondFactor, passSecondFactor(identity));
  implement(app, openOnly, signInRoutes.finishEnrolment, finishEnrolment(identity));
  implement(app, openOnly, signInRoutes.signUp, signUp(identity));
  implement(app, openOnly, signInRoutes.finishSignUp, finishSignUp(identity));
  implement(app, openOnly, passwordRoutes.askPasswordReset, askReset(identity));
  implement(app, openOnly, passwordRoutes.finishPasswordReset, finishReset(identity));
  implement(app, openOnly, passwordRoutes.removeSecondFactorAfterReset, removeLeftSecondFactor(identity));
  await serveFederation(app, openOnly, identity);
}

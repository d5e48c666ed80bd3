import type { FastifyInstance } from 'fastify';
import { signInRoutes } from '../../../shared/routes/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { PASSWORD_MIN } from '../accounts/password-rules.ts';
import type { IdentityContext } from '../context.ts';
import { signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';

/** Nobody is signed in yet on the sign-in page, so what is not for all is for none. */
const openOnly: Guard = async (route) => {
  if (route.access !== 'all') throw appError('UNAUTHENTICATED');
};

/** The calls of the sign-in page. */
export function servePage(app: FastifyInstance, identity: IdentityContext): void {
  implement(app, openOnly, signInRoutes.readSignInOptions, () => ({
    methods: identity.methods.map((method) => method.name),
    sign_up: identity.methods.some((method) => method.name === 'local'),
    password_min: PASSWORD_MIN,
  }));
  implement(app, openOnly, signInRoutes.signIn, signIn(identity));
  implement(app, openOnly, signInRoutes.signUp, signUp(identity));
}

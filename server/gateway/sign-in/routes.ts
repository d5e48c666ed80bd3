import type { FastifyInstance } from 'fastify';
import { accountRoutes } from '../../../shared/routes/account.ts';
import { authRoutes, userServiceRoutes } from '../../../shared/routes/auth.ts';
import { ownBindRoutes } from '../../../shared/routes/own-bind.ts';
import { type Guard, implement } from '../../http/implement.ts';
import { keepsAccounts } from './accounts-kept.ts';
import { registerBackchannelLogout } from './backchannel-logout.ts';
import { beginBind, bindThirdParty, readBind } from './bind-handlers.ts';
import { changeProfile, enterEnterprise } from './enterprise-handler.ts';
import { readLoginCode } from './login-code-handler.ts';
import { finishLogin, startLogin } from './login-handlers.ts';
import type { AuthParts } from './parts.ts';
import { logout, readSession, readUserInfo } from './session-handlers.ts';
import { signInByThirdParty } from './third-party-handlers.ts';

/** Access needs the reply (a refused cookie is deleted with it), so these handlers ask for it themselves. */
const inHandler: Guard = async () => undefined;

/** The gateway's own calls (design section 4). */
export function registerAuth(app: FastifyInstance, parts: AuthParts): void {
  implement(app, inHandler, authRoutes.startLogin, startLogin(parts));
  implement(app, inHandler, authRoutes.finishLogin, finishLogin(parts));
  implement(app, inHandler, authRoutes.readSession, readSession(parts));
  implement(app, inHandler, authRoutes.logout, logout(parts));
  implement(app, inHandler, authRoutes.readUserInfo, readUserInfo(parts));
  registerBackchannelLogout(app, parts);
  const { userService } = parts;
  if (!userService) return;
  implement(app, inHandler, userServiceRoutes.bindThirdParty, bindThirdParty(parts, userService));
  implement(app, inHandler, ownBindRoutes.readBind, readBind(parts, userService));
  if (keepsAccounts(parts.config)) {
    implement(app, inHandler, ownBindRoutes.beginBind, beginBind(parts, userService));
    implement(app, inHandler, accountRoutes.changeProfile, changeProfile(parts, userService));
  }
  implement(app, inHandler, userServiceRoutes.signInByThirdParty, signInByThirdParty(parts, userService));
  implement(app, inHandler, userServiceRoutes.enterEnterprise, enterEnterprise(parts, userService));
  implement(app, inHandler, userServiceRoutes.readLoginCode, readLoginCode(parts, userService));
}

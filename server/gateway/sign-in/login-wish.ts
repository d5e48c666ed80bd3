import { appError } from '../../http/errors.ts';
import type { LoginWish } from './provider.ts';

/**
 * What the login page is to know, once it makes sense together: a document service is named by its kind and its id, and
 * who binds an account he has makes no new one. Whatever else an address says is left behind: it would stand in for what
 * the gateway itself tells the login page.
 * @throws AppError VALIDATION_FAILED
 */
export function checkedWish({
  page,
  force,
  ux_from,
  login_source_id,
  app_name,
  bind_other,
}: LoginWish): LoginWish {
  if ((ux_from === undefined) !== (login_source_id === undefined)) {
    throw refused('/login_source_id', 'goes with ux_from, and neither without the other');
  }
  if (app_name !== undefined && ux_from === undefined) throw refused('/app_name', 'goes with ux_from');
  if (bind_other && page) throw refused('/bind_other', 'does not go with page=sign_up');
  return {
    ...(page && { page }),
    ...(force && { force }),
    ...(ux_from !== undefined && { ux_from }),
    ...(login_source_id !== undefined && { login_source_id }),
    ...(app_name !== undefined && { app_name }),
    ...(bind_other && { bind_other }),
  };
}

function refused(pointer: string, message: string) {
  return appError('VALIDATION_FAILED', { details: [{ pointer, message }] });
}

import type { UserInfo } from '../../../shared/entities/user.ts';

/** What a user is called: the name they chose, else what they sign in with. */
export function userName({ nick_name, user_name, email }: UserInfo): string {
  return nick_name.trim() || user_name.trim() || email;
}

import type { UserInfo } from '../../../shared/entities/user.ts';
import type { Account } from '../schema.ts';

/** An account with its membership in the current enterprise, all null when there is none. */
export type User = Account & {
  member_e_id: number | null;
  department: string | null;
  is_owner: boolean | null;
  is_administrator: boolean | null;
  staff_status: number | null;
};

/** The user info of specification section 3, without tokens. Without an enterprise `e_id` is 0. */
export function userInfoOf(user: User): UserInfo {
  return {
    user_id: user.user_id,
    user_name: user.user_name,
    nick_name: user.nick_name,
    email: user.email,
    mobile: user.mobile,
    sex: user.sex,
    birthday: user.birthday,
    channel: user.channel,
    tencent_docs: user.tencent_docs,
    avatar_url: user.avatar_url,
    created_at: user.created_at.toISOString(),
    department: user.department ?? '',
    e_id: user.member_e_id ?? 0,
    is_administrator: user.is_administrator ?? false,
    is_owner: user.is_owner ?? false,
    staff_status: user.staff_status ?? 0,
    account_id: user.user_id,
    identification: user.identification,
  };
}

import { type Static, Type } from 'typebox';
import { Id } from '../entities/base.ts';
import { route } from '../route.ts';

/** An enterprise that the caller belongs to. */
export const OwnEnterprise = Type.Object({
  e_id: Id,
  /** Empty where nobody has said. */
  name: Type.String(),
  department: Type.String(),
  is_owner: Type.Boolean(),
  is_administrator: Type.Boolean(),
});
export type OwnEnterprise = Static<typeof OwnEnterprise>;

export const ownEnterpriseRoutes = {
  listOwnEnterprises: route({
    service: 'identity',
    method: 'GET',
    path: '/user/account/enterprise/list',
    access: 'user',
    summary: 'The enterprises that the caller belongs to',
    data: Type.Object({ enterprises: Type.Array(OwnEnterprise) }),
  }),
};

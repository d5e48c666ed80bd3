import type { SignInOffer } from '../../../shared/routes/sign-in.ts';
import type { DataFor } from '../../api/client.ts';
import type { SignInParameters } from './sign-in-parameters.ts';

type DocumentService = DataFor<'readSignInOptions'>['document_services'][number];

/** Where a sign-in comes from: nowhere in particular, a document service of the deployment, or nobody knows where. */
export type ComesFrom =
  | { kind: 'here' }
  | { kind: 'documents'; service: DocumentService }
  | { kind: 'unknown' };

export function comesFrom(
  { ux_from, login_source_id, app_name, bind_other }: SignInParameters,
  known: readonly DocumentService[],
): ComesFrom {
  if ((ux_from ?? login_source_id ?? app_name ?? bind_other) === undefined) return { kind: 'here' };
  const service = known.find(
    (candidate) =>
      candidate.ux_from === ux_from &&
      candidate.login_source_id === login_source_id &&
      (app_name === undefined || candidate.app_name === app_name),
  );
  return service ? { kind: 'documents', service } : { kind: 'unknown' };
}

/** The ways to an account that the one of a document service is to be bound to, without its own where there is another. */
export function methodsToBind(methods: readonly SignInOffer[], from: ComesFrom): readonly SignInOffer[] {
  const others = methods.filter(({ source }) => from.kind !== 'documents' || source !== from.service.source);
  return others.length > 0 ? others : methods;
}

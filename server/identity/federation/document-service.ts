import type { LoginSource } from '../../../shared/entities/sign-in.ts';
import { appError } from '../../http/errors.ts';
import { checkedChannel } from '../accounts/account-fields.ts';
import type { DocumentService, RedirectMethod, SignInMethod } from './method.ts';

/** What an account made at a first sign-in stores of where its user came from. */
export type Origin = { channel?: string; tencent_docs?: boolean };

type Came = LoginSource & { channel?: string | undefined };

/** A sign-in page of a document service, and what its links say. */
type DocumentSource = { method: RedirectMethod; service: DocumentService };

/** The document services that the deployment knows. */
export function documentSources(methods: readonly SignInMethod[]): DocumentSource[] {
  return methods.flatMap((method) => {
    const service = method.kind === 'redirect' ? method.directory.documentService : undefined;
    return method.kind === 'redirect' && service ? [{ method, service }] : [];
  });
}

/**
 * The document service that a sign-in page was opened from; undefined when from none. Only what the deployment has
 * configured counts, the name included: anybody can write a link.
 * @throws LOGIN_SOURCE_UNKNOWN
 */
export function documentSourceOf(
  methods: readonly SignInMethod[],
  { ux_from, login_source_id, app_name, bind_other }: LoginSource,
): DocumentSource | undefined {
  if ((ux_from ?? login_source_id ?? app_name ?? bind_other) === undefined) return undefined;
  const found = documentSources(methods).find(
    ({ service }) =>
      service.ux_from === ux_from &&
      service.login_source_id === login_source_id &&
      (app_name === undefined || service.app_name === app_name),
  );
  if (!found) throw appError('LOGIN_SOURCE_UNKNOWN');
  return found;
}

/**
 * What to store of the parameters that a sign-in page was opened with.
 * @throws LOGIN_SOURCE_UNKNOWN, VALIDATION_FAILED at /channel
 */
export function originOf(methods: readonly SignInMethod[], came: Came): Origin {
  const isFromDocuments = documentSourceOf(methods, came) !== undefined;
  return {
    ...(came.channel !== undefined && { channel: checkedChannel(came.channel) }),
    ...(isFromDocuments && { tencent_docs: true }),
  };
}

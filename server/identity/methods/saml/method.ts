import { SAML, type SamlConfig, ValidateInResponseTo } from '@node-saml/node-saml';
import { appError } from '../../../http/errors.ts';
import { useProof } from '../../external/store.ts';
import type { IdentityDb } from '../../schema.ts';
import { secretHash } from '../../secret.ts';
import { metadataUrl } from '../../sso/callback-url.ts';
import { CLOCK_SKEW } from '../clock-skew.ts';
import { offerOf } from '../directory.ts';
import type { RedirectMethod } from '../method.ts';
import { secretText } from '../settings/read-settings.ts';
import type { SamlSettings } from '../settings/saml.ts';
import { personOfProfile } from './profile.ts';
import { isMeantFor } from './recipient.ts';
import { rememberedRequest } from './remembered-request.ts';

type Means = { source: string; publicUrl: string; db: IdentityDb; now: () => number };

/** How long a used assertion is remembered; none is taken that is older. */
const ASSERTION_AGE = 60 * 60 * 1000;

/** A document that declares entities or a type is none of SAML's, and what it can do to a parser is not worth trying. */
const DECLARATION = /<!(?:DOCTYPE|ENTITY)/i;

/** The outermost status: the library asks for it only where there is no assertion. */
const STATUS = /<(?:[\w-]+:)?StatusCode\s[^>]*>/;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** People of a SAML 2.0 identity provider: the request by redirect, the signed response by post (SAML profiles 4.1). */
export function samlMethod(settings: SamlSettings, means: Means): RedirectMethod {
  const offer = offerOf(settings, means.source);
  const config = configOf(settings, metadataUrl(means.publicUrl, means.source));
  return {
    ...offer,
    kind: 'redirect',
    async begin({ state, callbackUrl }) {
      const request = rememberedRequest();
      const saml = new SAML({ ...config, callbackUrl, cacheProvider: request.cache });
      const url = await saml.getAuthorizeUrlAsync(state, undefined, {});
      return { url, secrets: { request: request.id() } };
    },
    stateOf: ({ form }) => form?.get('RelayState') || undefined,
    async finish({ url, form, secrets }) {
      const response = form?.get('SAMLResponse') ?? '';
      const request = rememberedRequest(secrets.request);
      const callbackUrl = url.origin + url.pathname;
      const saml = new SAML({ ...config, callbackUrl, cacheProvider: request.cache });
      const { profile } = await checked(saml, response);
      if (!profile || profile.issuer !== settings.idp_entity_id) throw refused('another issuer');
      if (!isMeantFor(profile, callbackUrl)) throw refused('another recipient');
      const isFirst = await useProof(means.db, {
        source: means.source,
        hash: secretHash(String(profile.ID ?? response)),
        expiresAt: new Date(means.now() + ASSERTION_AGE),
      });
      if (!isFirst) throw refused('an assertion was used twice');
      const person = personOfProfile(profile, settings.fields);
      if (!person) throw refused('nobody is named, or by a name for this time only');
      return person;
    },
    metadata: (callbackUrl) => ({
      type: 'application/samlmetadata+xml',
      text: new SAML({ ...config, callbackUrl }).generateServiceProviderMetadata(
        null,
        settings.sp_certificate ?? null,
      ),
    }),
  };
}

function configOf(settings: SamlSettings, ownEntityId: string): Omit<SamlConfig, 'callbackUrl'> {
  const { sp_entity_id = ownEntityId, sp_private_key, clock_skew = CLOCK_SKEW, signed = 'either' } = settings;
  return {
    issuer: sp_entity_id,
    audience: sp_entity_id,
    entryPoint: settings.idp_sso_url,
    idpIssuer: settings.idp_entity_id,
    idpCert: settings.idp_certificates,
    identifierFormat: null,
    disableRequestedAuthnContext: true,
    acceptedClockSkewMs: clock_skew,
    maxAssertionAgeMs: ASSERTION_AGE,
    validateInResponseTo: ValidateInResponseTo.always,
    wantAssertionsSigned: signed === 'assertion' || signed === 'both',
    wantAuthnResponseSigned: signed === 'response' || signed === 'both',
    signatureAlgorithm: 'sha256',
    digestAlgorithm: 'sha256',
    ...(sp_private_key !== undefined && { privateKey: secretText(sp_private_key) }),
  };
}

async function checked(saml: SAML, response: string) {
  const text = Buffer.from(response, 'base64').toString('utf8');
  if (DECLARATION.test(text)) throw refused('a document type');
  const answer = await saml.validatePostResponseAsync({ SAMLResponse: response }).catch((error: unknown) => {
    throw appError('SSO_REFUSED', { cause: error });
  });
  if (!STATUS.exec(text)?.[0].includes(SUCCESS)) throw refused('the provider has not let the person in');
  return answer;
}

function refused(why: string) {
  return appError('SSO_REFUSED', { cause: new Error(`SAML response: ${why}`) });
}

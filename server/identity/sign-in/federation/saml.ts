import {
  type CacheProvider,
  type Profile,
  SAML,
  type SamlConfig,
  ValidateInResponseTo,
} from '@node-saml/node-saml';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { CLOCK_TOLERANCE } from '../../../../shared/user-service.ts';
import { appError } from '../../../http/errors.ts';
import type { IdentityDb } from '../../schema.ts';
import { secretHash } from '../../secret.ts';
import { type ExternalProfile, federatedMethod, metadataUrl, type RedirectMethod } from './method.ts';
import { profileOf } from './profile.ts';
import { secretText } from './secrets.ts';
import type { FieldNames, SamlSettings } from './settings-schema.ts';
import { consumeProof } from './store.ts';

type Options = { source: string; publicUrl: string; db: IdentityDb; now: () => number };

/** How long used assertions are stored; older ones are rejected. */
const ASSERTION_AGE = 60 * 60 * 1000;

/** SAML documents never declare entities or a document type, which could attack the XML parser. */
const DECLARATION = /<!(?:DOCTYPE|ENTITY)/i;

/** The outermost status; the library checks it only when there is no assertion. */
const STATUS = /<(?:[\w-]+:)?StatusCode\s[^>]*>/;
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';

/** Users of a SAML 2.0 identity provider: the request by redirect, the signed response by post (SAML profiles 4.1). */
export function samlMethod(settings: SamlSettings, { source, publicUrl, db, now }: Options): RedirectMethod {
  const config = configOf(settings, metadataUrl(publicUrl, source));
  return {
    ...federatedMethod(settings, source),
    kind: 'redirect',
    async begin({ state, callbackUrl }) {
      const request = requestCache();
      const saml = new SAML({ ...config, callbackUrl, cacheProvider: request.cache });
      const url = await saml.getAuthorizeUrlAsync(state, undefined, {});
      return { url, secrets: { request: request.id() } };
    },
    stateOf: ({ form }) => form?.get('RelayState') || undefined,
    async finish({ url, form, secrets }) {
      const response = form?.get('SAMLResponse') ?? '';
      const callbackUrl = url.origin + url.pathname;
      const { cache } = requestCache(secrets.request);
      const assertion = await validate(new SAML({ ...config, callbackUrl, cacheProvider: cache }), response);
      if (assertion?.issuer !== settings.idp_entity_id) throw responseRefused('wrong issuer');
      if (!isAddressedTo(assertion, callbackUrl)) throw responseRefused('wrong recipient');
      const isFirst = await consumeProof(db, {
        source,
        hash: secretHash(String(assertion.ID ?? response)),
        expiresAt: new Date(now() + ASSERTION_AGE),
      });
      if (!isFirst) throw responseRefused('assertion already used');
      const profile = profileOfAssertion(assertion, settings.fields);
      if (!profile) throw responseRefused('no subject, or a transient one');
      return profile;
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
  const {
    sp_entity_id = ownEntityId,
    sp_private_key,
    clock_skew = CLOCK_TOLERANCE,
    signed = 'either',
  } = settings;
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

/**
 * Stores the id of one request for the library. The id is saved with the pending sign-in, so that any instance can accept
 * the response, once.
 */
function requestCache(known = ''): { cache: CacheProvider; id: () => string } {
  let id = known;
  const createdAt = Date.now();
  return {
    id: () => id,
    cache: {
      saveAsync: async (key, value) => {
        id = key;
        return { value, createdAt };
      },
      getAsync: async (key) => (id !== '' && key === id ? new Date(createdAt).toISOString() : null),
      removeAsync: async (key) => {
        if (key === id) id = '';
        return key;
      },
    },
  };
}

async function validate(saml: SAML, response: string): Promise<Profile | null> {
  const text = Buffer.from(response, 'base64').toString('utf8');
  if (DECLARATION.test(text)) throw responseRefused('document type declaration');
  const { profile } = await saml
    .validatePostResponseAsync({ SAMLResponse: response })
    .catch((error: unknown) => {
      throw appError('SSO_REFUSED', { cause: error });
    });
  if (!STATUS.exec(text)?.[0].includes(SUCCESS)) throw responseRefused('status is not success');
  return profile;
}

/** The recipients in a signed assertion, in the library's form of XML. */
const Confirmed = Type.Object({
  Assertion: Type.Object({
    Subject: Type.Array(
      Type.Object({
        SubjectConfirmation: Type.Array(
          Type.Object({
            SubjectConfirmationData: Type.Array(
              Type.Object({ $: Type.Object({ Recipient: Type.String() }) }),
              { minItems: 1 },
            ),
          }),
          { minItems: 1 },
        ),
      }),
      { minItems: 1 },
    ),
  }),
});

/**
 * Whether every confirmation of the subject has our address (SAML profiles section 4.1.4.3): an assertion for another
 * service provider with the same entity id is rejected.
 */
function isAddressedTo(assertion: Profile, callbackUrl: string): boolean {
  const read: unknown = assertion.getAssertion?.();
  if (!Value.Check(Confirmed, read)) return false;
  const confirmations = read.Assertion.Subject.flatMap((subject) => subject.SubjectConfirmation);
  return confirmations
    .flatMap((confirmation) => confirmation.SubjectConfirmationData)
    .every(({ $ }) => $.Recipient === callbackUrl);
}

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';
const MICROSOFT = 'http://schemas.microsoft.com';
const NAME_ID = 'nameID';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** Our field names; see ALIASES for those of identity providers. */
const FIELDS: Required<FieldNames> = {
  subject: NAME_ID,
  user_name: 'user_name',
  email: 'email',
  nick_name: 'nick_name',
  mobile: 'mobile',
  department: 'department',
  avatar_url: 'avatar_url',
  groups: 'groups',
};

/** Default names of identity providers: short names, X.500 (RFC 4524) and Microsoft's claims. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  user_name: ['uid', 'urn:oid:0.9.2342.19200300.100.1.1', `${CLAIMS}/name`],
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  nick_name: [
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    `${MICROSOFT}/identity/claims/displayname`,
    'cn',
  ],
  mobile: ['mobile', 'urn:oid:0.9.2342.19200300.100.1.41', `${CLAIMS}/mobilephone`],
  department: ['department', 'ou', `${CLAIMS}/department`],
  avatar_url: ['picture'],
  groups: ['groups', 'memberOf', `${MICROSOFT}/ws/2008/06/identity/claims/groups`, `${CLAIMS}/Group`],
};

/** A transient NameID differs at each sign-in, so it is no subject (SAML core 8.3.8). */
function profileOfAssertion(
  { attributes, nameID, nameIDFormat }: Profile,
  names: FieldNames = {},
): ExternalProfile | undefined {
  const isTransient = names.subject === undefined && nameIDFormat === TRANSIENT;
  const values = new Map(
    Object.entries(Object(attributes)).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return profileOf({ ...FIELDS, ...names }, (field) => {
    if (field === NAME_ID) return nameID && !isTransient ? [nameID] : [];
    const name = (ALIASES[field] ?? [field]).find((alias) => values.has(alias.toLowerCase())) ?? '';
    return [values.get(name.toLowerCase())].flat().filter((one) => typeof one === 'string');
  });
}

function responseRefused(why: string) {
  return appError('SSO_REFUSED', { cause: new Error(`SAML response: ${why}`) });
}

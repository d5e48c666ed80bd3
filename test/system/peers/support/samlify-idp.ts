import samlify from 'samlify';
import { selfSigned } from '../../../support/certificate.ts';
import { type Asked, ATTRIBUTES, IDP, PASSWORD, type SamlPeer, SUBJECT } from './saml-peer.ts';

const MINUTE = 60_000;
const URN = 'urn:oasis:names:tc:SAML';
const PERSISTENT = `${URN}:2.0:nameid-format:persistent`;

/** The library requires a schema validator; its own checks are enough here. */
samlify.setSchemaValidator({ validate: async () => 'not checked' });

const attributes = Object.keys(ATTRIBUTES).map((name) => ({
  name,
  valueTag: name,
  nameFormat: `${URN}:2.0:attrname-format:basic`,
  valueXsiType: 'xs:string',
}));

/** An identity provider with samlify. */
export function samlifyIdp(): SamlPeer {
  const { key, cert } = selfSigned('rsa');
  const { context } = samlify.SamlLib.defaultLoginResponseTemplate;
  const idp = samlify.IdentityProvider({
    entityID: IDP.entityId,
    signingCert: cert,
    privateKey: key,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    nameIDFormat: [PERSISTENT],
    singleSignOnService: [{ Binding: `${URN}:2.0:bindings:HTTP-Redirect`, Location: IDP.ssoUrl }],
    loginResponseTemplate: { context, attributes },
  });
  let known: ReturnType<typeof samlify.ServiceProvider> | undefined;
  return {
    settings: { idp_entity_id: IDP.entityId, idp_sso_url: IDP.ssoUrl, idp_certificates: [cert] },
    async trust(metadata) {
      known = samlify.ServiceProvider({ metadata });
    },
    async answer(address, asked) {
      if (!known) throw new Error('the site is not known yet');
      const sp = known;
      const { extract } = await idp.parseLoginRequest(sp, 'redirect', {
        query: Object.fromEntries(address.searchParams),
      });
      const recipient = String(sp.entityMeta.getAssertionConsumerService('post'));
      const said = saying(asked, {
        recipient,
        audience: sp.entityMeta.getEntityID(),
        request: String(Object(extract.request).id),
      });
      const made = await idp.createLoginResponse(sp, { extract }, 'post', {}, (template) => ({
        id: said.ID,
        context: samlify.SamlLib.replaceTagsByValue(template, said),
      }));
      return Buffer.from(made.context, 'base64').toString();
    },
  };
}

/** Values for the tags of the library's template. */
function saying(
  { password, clock = 0, audience }: Asked,
  to: { recipient: string; audience: string; request: string },
) {
  const now = Date.now() + clock;
  const made = new Date(now).toISOString();
  const until = new Date(now + MINUTE).toISOString();
  const id = crypto.randomUUID();
  return {
    ID: `_r${id}`,
    AssertionID: `_a${id}`,
    Issuer: IDP.entityId,
    IssueInstant: made,
    Destination: to.recipient,
    InResponseTo: to.request,
    StatusCode: `${URN}:2.0:status:${password === PASSWORD ? 'Success' : 'Responder'}`,
    NameIDFormat: PERSISTENT,
    NameID: SUBJECT,
    SubjectRecipient: to.recipient,
    SubjectConfirmationDataNotOnOrAfter: until,
    ConditionsNotBefore: made,
    ConditionsNotOnOrAfter: until,
    Audience: audience ?? to.audience,
    AuthnStatement: `<saml:AuthnStatement AuthnInstant="${made}"><saml:AuthnContext><saml:AuthnContextClassRef>${URN}:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>`,
    ...Object.fromEntries(
      Object.entries(ATTRIBUTES).map(([name, value]) => [
        `attr${name[0]?.toUpperCase()}${name.slice(1)}`,
        value,
      ]),
    ),
  };
}

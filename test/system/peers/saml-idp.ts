import { randomUUID } from 'node:crypto';
import { inflateRawSync } from 'node:zlib';
import { SignedXml } from 'xml-crypto';

/** Our own identity provider, which can send any response. */
export type SamlKeys = { key: string; cert: string };

export const IDP = 'https://idp.example/metadata';

export type Said = {
  requestId: string;
  recipient: string;
  audience: string;
  subject?: string;
  issuer?: string;
  /** Clock skew of the provider in milliseconds. */
  clock?: number;
  /** Lifetime of the assertion in milliseconds. */
  lifetime?: number;
  attributes?: Readonly<Record<string, readonly string[]>>;
  nameIdFormat?: string;
  status?: string;
};

const NAMES =
  'xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"';
const SUCCESS = 'urn:oasis:names:tc:SAML:2.0:status:Success';
const PERSISTENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent';

/** The id of the request of a sign-in. */
export function requestIdIn(address: URL): string {
  const request = inflateRawSync(
    Buffer.from(address.searchParams.get('SAMLRequest') ?? '', 'base64'),
  ).toString();
  return / ID="([^"]+)"/.exec(request)?.[1] ?? '';
}

/** An unsigned assertion. */
export function assertion(said: Said, id = `_${randomUUID()}`): string {
  const {
    requestId,
    recipient,
    audience,
    subject = 'ada-7',
    issuer = IDP,
    clock = 0,
    lifetime = 300_000,
  } = said;
  const now = Date.now() + clock;
  const at = (offset: number) => new Date(now + offset).toISOString();
  const attributes = Object.entries(said.attributes ?? {})
    .map(
      ([name, values]) =>
        `<saml:Attribute Name="${name}">${values.map((value) => `<saml:AttributeValue>${value}</saml:AttributeValue>`).join('')}</saml:Attribute>`,
    )
    .join('');
  return (
    `<saml:Assertion ${NAMES} ID="${id}" Version="2.0" IssueInstant="${at(0)}"><saml:Issuer>${issuer}</saml:Issuer>` +
    `<saml:Subject><saml:NameID Format="${said.nameIdFormat ?? PERSISTENT}">${subject}</saml:NameID>` +
    `<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData ` +
    `InResponseTo="${requestId}" Recipient="${recipient}" NotOnOrAfter="${at(lifetime)}"/></saml:SubjectConfirmation></saml:Subject>` +
    `<saml:Conditions NotBefore="${at(0)}" NotOnOrAfter="${at(lifetime)}"><saml:AudienceRestriction>` +
    `<saml:Audience>${audience}</saml:Audience></saml:AudienceRestriction></saml:Conditions>` +
    `<saml:AuthnStatement AuthnInstant="${at(0)}"><saml:AuthnContext><saml:AuthnContextClassRef>` +
    `urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext></saml:AuthnStatement>` +
    `${attributes && `<saml:AttributeStatement>${attributes}</saml:AttributeStatement>`}</saml:Assertion>`
  );
}

/** A response with the given content. */
export function response(said: Said, content: string): string {
  const { requestId, recipient, issuer = IDP, clock = 0, status = SUCCESS } = said;
  return (
    `<samlp:Response ${NAMES} ID="_${randomUUID()}" Version="2.0" IssueInstant="${new Date(Date.now() + clock).toISOString()}" ` +
    `Destination="${recipient}" InResponseTo="${requestId}"><saml:Issuer>${issuer}</saml:Issuer>` +
    `<samlp:Status><samlp:StatusCode Value="${status}"/></samlp:Status>${content}</samlp:Response>`
  );
}

/** Signs the first element of a name (enveloped, exclusive canonicalisation, SHA-256). */
export function signed(xml: string, element: 'Assertion' | 'Response', { key, cert }: SamlKeys): string {
  const path = `//*[local-name(.)='${element}']`;
  const signature = new SignedXml({
    privateKey: key,
    publicCert: cert,
    signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
    canonicalizationAlgorithm: 'http://www.w3.org/2001/10/xml-exc-c14n#',
  });
  signature.addReference({
    xpath: path,
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [
      'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
      'http://www.w3.org/2001/10/xml-exc-c14n#',
    ],
  });
  signature.computeSignature(xml, {
    prefix: 'ds',
    location: { reference: `${path}/*[local-name(.)='Issuer']`, action: 'after' },
  });
  return signature.getSignedXml();
}

/** The form that the browser posts. */
export const posted = (xml: string): string => Buffer.from(xml).toString('base64');

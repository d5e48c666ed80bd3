import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { clientError } from './errors.ts';
import { type Site, sendBriefly } from './site.ts';
import { type ClientStorage, readJson, writeJson } from './storage.ts';

/** What the site has approved, as its signature says. */
export type Approval = {
  version: string;
  digest: string;
  size: number;
  /** What the version may reach. Trust these, not what an answer says beside them. */
  permissions: string[];
  domains: string[];
  /** Versions of design tools that it runs in; null for all. */
  host_range: string | null;
};

const KEYS = '/.well-known/plugin-square/keys.json';
const NAME = 'keys';
const TYPE = 'plugin-approval+jwt';
/** Milliseconds until keys are read again for the sake of an unknown one. */
const PAUSE = 60_000;

export type Verifier = (
  signature: string | null,
  about: { pluginKey: string; digest: string },
) => Promise<Approval>;

type Settings = { site: Site; storage: ClientStorage; pinned: JSONWebKeySet | undefined };

/**
 * Verifies approvals with pinned keys, or with those of the site, which are kept for use without a network. Keys are never
 * removed by a site, so a key that is not known is one that is newer than the copy, or somebody else's.
 */
export function createVerifier({ site, storage, pinned }: Settings): Verifier {
  let readAt = Number.NEGATIVE_INFINITY;

  async function readKeys(): Promise<JSONWebKeySet> {
    readAt = site.now();
    const response = await sendBriefly(site, KEYS);
    const keys: JSONWebKeySet | undefined = response.ok
      ? await response.json().catch(() => undefined)
      : undefined;
    if (!Array.isArray(keys?.keys)) throw clientError('SITE_INVALID', { status: response.status });
    await writeJson(storage, NAME, keys);
    return keys;
  }

  const keyOf: JWTVerifyGetKey = async (header, token) => {
    if (pinned) return createLocalJWKSet(pinned)(header, token);
    const known = await readJson<JSONWebKeySet>(storage, NAME);
    if (!known) return createLocalJWKSet(await readKeys())(header, token);
    try {
      return await createLocalJWKSet(known)(header, token);
    } catch (error) {
      const isDue = site.now() - readAt > PAUSE;
      if (!(error instanceof errors.JWKSNoMatchingKey) || !isDue) throw error;
      return createLocalJWKSet(await readKeys())(header, token);
    }
  };

  return async (signature, { pluginKey, digest }) => {
    if (signature === null) throw clientError('NOT_SIGNED');
    const { payload } = await jwtVerify<Approval>(signature, keyOf, {
      issuer: site.url,
      subject: pluginKey,
      typ: TYPE,
      algorithms: ['EdDSA'],
    }).catch((cause: unknown) => {
      if (cause instanceof errors.JWKSNoMatchingKey) throw clientError('KEY_UNKNOWN', { cause });
      throw cause instanceof errors.JOSEError ? clientError('SIGNATURE_INVALID', { cause }) : cause;
    });
    if (payload.digest !== digest) throw clientError('SIGNATURE_INVALID');
    const { version, size, permissions, domains, host_range } = payload;
    return { version, digest, size, permissions, domains, host_range };
  };
}

import { clientError, isClientError } from './errors.ts';
import { failureOf, pathOn, type Site, send } from './site.ts';
import type { ClientStorage } from './storage.ts';
import type { Approval, Verifier } from './verify.ts';
import type { InstalledItem } from './wire.ts';

type Bytes = Uint8Array<ArrayBuffer>;

/** A version and its package, as `state` and `changes` tell them. */
export type PackageOf = {
  plugin_key: string;
  version: string;
  package: { digest: string; size: number; signature: string | null; address: string };
};

/** An installed plugin as the site tells it, and the version that can be run here. */
export type InstalledPlugin = InstalledItem & {
  /** Loaded and checked; null while there is none. May be older than `version` until that one is loaded. */
  runnable: PackageOf | null;
};

/** A package that was checked, and what its approval says. */
export type VerifiedPackage = { bytes: Bytes; approval: Approval };

type Settings = {
  site: Site;
  storage: ClientStorage;
  verify: Verifier;
  /** Headers of a call for the person who is signed in. */
  authorize: () => Promise<Record<string, string>>;
};

export type Packages = {
  /**
   * Loads a package unless it is there, and checks it.
   * @throws ClientError WITHDRAWN, DIGEST_WRONG, NOT_SIGNED, SIGNATURE_INVALID, KEY_UNKNOWN, OFFLINE, SITE_FAILED
   */
  load(
    wanted: PackageOf,
    options?: { signal?: AbortSignal | undefined; isPublic?: boolean },
  ): Promise<VerifiedPackage>;
  /** A loaded package, checked again; undefined if it is not there. @throws ClientError as `load` */
  open(wanted: PackageOf): Promise<VerifiedPackage | undefined>;
  /** Deletes all packages but those with these digests. */
  keep(digests: ReadonlySet<string>): Promise<void>;
};

const WHOLE = 'package/';
const PART = 'part/';
/** How often a download that was cut goes on by itself. */
const ATTEMPTS = 3;

/** Packages by their content: loaded in parts if need be, and never used before digest and signature were checked. */
export function createPackages({ site, storage, verify, authorize }: Settings): Packages {
  /** Goes on where an earlier download was cut. @throws ClientError */
  async function download(
    { package: { digest, size, address } }: PackageOf,
    isPublic: boolean,
    signal?: AbortSignal,
  ) {
    const path = pathOn(site, address);
    let part: Bytes = (await storage.get(PART + digest)) ?? new Uint8Array();
    for (let attempt = 1; part.length < size; attempt += 1) {
      const range = part.length === 0 ? {} : { range: `bytes=${part.length}-`, 'if-range': `"${digest}"` };
      const headers = { ...range, ...(!isPublic && (await authorize())) };
      const response = await send(site, path, { headers, signal });
      if (response.status === 416) part = new Uint8Array();
      else if (!response.ok) throw await failureOf(response);
      else {
        if (!continues(response, part.length)) part = new Uint8Array();
        const cut = await appended(part, response, size);
        part = cut.bytes;
        await storage.set(PART + digest, part);
        if (cut.error !== undefined) {
          signal?.throwIfAborted();
          if (attempt === ATTEMPTS) throw clientError('OFFLINE', { cause: cut.error });
        }
      }
      if (attempt === ATTEMPTS && part.length < size) throw clientError('OFFLINE');
    }
    return part;
  }

  async function check(wanted: PackageOf, bytes: Bytes): Promise<VerifiedPackage> {
    const { digest, size, signature } = wanted.package;
    if (bytes.length !== size || (await sha256(bytes)) !== digest) throw clientError('DIGEST_WRONG');
    const approval = await verify(signature, { pluginKey: wanted.plugin_key, digest });
    if (approval.version !== wanted.version || approval.size !== size) throw clientError('SIGNATURE_INVALID');
    return { bytes, approval };
  }

  /** Downloads and checks. A part of earlier may be wrong, so that a failed check with one begins again without. */
  async function fetchChecked(
    wanted: PackageOf,
    isPublic: boolean,
    signal: AbortSignal | undefined,
  ): Promise<VerifiedPackage> {
    const part = PART + wanted.package.digest;
    const hadPart = (await storage.get(part)) !== undefined;
    try {
      const bytes = await download(wanted, isPublic, signal);
      await storage.delete(part);
      return await check(wanted, bytes);
    } catch (error) {
      // What is wrong is not to be continued.
      if (isClientError(error) && error.code !== 'OFFLINE') await storage.delete(part);
      const isWrong = isClientError(error) && error.code === 'DIGEST_WRONG';
      if (!isWrong || !hadPart) throw error;
      return fetchChecked(wanted, isPublic, signal);
    }
  }

  const open: Packages['open'] = async (wanted) => {
    const bytes = await storage.get(WHOLE + wanted.package.digest);
    return bytes && check(wanted, bytes);
  };

  return {
    open,
    async load(wanted, { signal, isPublic = false } = {}) {
      const { digest } = wanted.package;
      const found = await open(wanted).catch((error: unknown) => {
        // What is damaged here is loaded again.
        if (isClientError(error) && error.code === 'DIGEST_WRONG') return undefined;
        throw error;
      });
      if (found) return found;
      const checked = await fetchChecked(wanted, isPublic, signal);
      await storage.set(WHOLE + digest, checked.bytes);
      return checked;
    },
    async keep(digests) {
      for (const name of await storage.names()) {
        const [, digest] = /^(?:package|part)\/(.+)$/.exec(name) ?? [];
        if (digest !== undefined && !digests.has(digest)) await storage.delete(name);
      }
    },
  };
}

/** Whether an answer is the rest from this byte on; otherwise it is the whole. */
function continues(response: Response, from: number): boolean {
  return (
    response.status === 206 && response.headers.get('content-range')?.startsWith(`bytes ${from}-`) === true
  );
}

/** Reads a body until it ends or is cut. More bytes than it may have are not read. */
async function appended(
  part: Bytes,
  response: Response,
  size: number,
): Promise<{ bytes: Bytes; error?: unknown }> {
  const bytes = new Uint8Array(size);
  bytes.set(part);
  let length = part.length;
  const reader = response.body?.getReader();
  try {
    for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) {
      if (length + read.value.length > size) {
        await reader?.cancel();
        throw clientError('DIGEST_WRONG');
      }
      bytes.set(read.value, length);
      length += read.value.length;
    }
    return { bytes: bytes.slice(0, length) };
  } catch (error) {
    if (isClientError(error)) throw error;
    return { bytes: bytes.slice(0, length), error };
  }
}

async function sha256(bytes: Bytes): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

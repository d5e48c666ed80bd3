import { createHash } from 'node:crypto';
import { releasePackage } from '../../../../shared/package/package.ts';
import type { TestCommunity } from '../../../support/community.ts';
import { addVersion, type VersionDraft } from '../../catalogue/versions/add-version.ts';

/** A package, as it is uploaded; `main` makes its content. */
export function packageText(main: string, manifest: Record<string, unknown> = {}): string {
  return JSON.stringify({
    format: 'plugin-package',
    formatVersion: 1,
    manifest: { name: 'Tool', main: 'main.js', build: 'npm run build', ...manifest },
    files: { 'main.js': main },
  });
}

export function sha256(text: string | Uint8Array): string {
  return createHash('sha256').update(text).digest('hex');
}

/** Adds a version with a package. @returns what users download of it, and its id */
export async function addRelease(
  { db, dataDir }: TestCommunity,
  { content, ...draft }: VersionDraft & { content: string },
): Promise<{ id: number; text: string; digest: string }> {
  const id = await addVersion(db, dataDir, { ...draft, content });
  const text = releasePackage(content);
  return { id, text, digest: sha256(text) };
}

import { basename } from 'node:path';
import { FALLBACK_LANGUAGE } from '../../shared/languages.ts';
import type { ClientAssets } from './client-assets.ts';
import { brotliBytes } from './compress.ts';

/** A line per page: the brotli weight of the scripts of its first view; and what the inlined CSS weighs. */
export async function sizeReport(assets: ClientAssets, sizes: ReadonlyMap<string, number>): Promise<string> {
  const weight = (files: readonly string[]): number =>
    [...new Set(files)].reduce((sum, file) => sum + (sizes.get(basename(file)) ?? 0), 0);
  const always = [assets.script, ...assets.entryPreloads, ...assets.languages[FALLBACK_LANGUAGE]];
  const css = async (text: string): Promise<string> =>
    kilobytes((await brotliBytes(Buffer.from(text))).byteLength);
  const scripts = [...sizes.keys()].filter((name) => name.endsWith('.js'));
  return [
    ...(await Promise.all(
      Object.entries(assets.pages).map(
        async ([source, page]) =>
          `${source}: js ${kilobytes(weight([...always, ...page.scripts]))}, css inlined ${await css(page.css)}`,
      ),
    )),
    `all scripts: ${kilobytes(weight(scripts))}`,
  ].join('\n');
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1024).toFixed(1)} KiB br`;
}

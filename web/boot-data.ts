import type { DehydratedState } from '@tanstack/react-query';
import type { Site } from './api/site-context.ts';

const BOOT_ID = 'boot';

/** What a document carries: facts of the site, and the query cache that it was rendered from. */
export type BootData = { site: Site; dehydrated: DehydratedState };

/** What the server put into the page. @throws when the document is not one of ours. */
export function readBoot(document: Document): BootData {
  const text = document.getElementById(BOOT_ID)?.textContent;
  if (!text) throw new Error('The page carries no boot data.');
  return JSON.parse(text);
}

/** The element that carries the boot data; nothing inside can end it or be taken for markup. */
export function bootScript(boot: BootData): string {
  const json = JSON.stringify(boot).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${BOOT_ID}">${json}</script>`;
}

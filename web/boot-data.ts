import type { Boot } from '../shared/boot.ts';

const BOOT_ID = 'boot';

/** What the server put into the page. @throws when the document is not one of ours. */
export function readBoot(document: Document): Boot {
  const text = document.getElementById(BOOT_ID)?.textContent;
  if (!text) throw new Error('The page carries no boot data.');
  return JSON.parse(text);
}

/** The element that carries the boot data; nothing inside can end it or be taken for markup. */
export function bootScript(boot: Boot): string {
  const json = JSON.stringify(boot).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
  return `<script type="application/json" id="${BOOT_ID}">${json}</script>`;
}

import { readFileSync, writeFileSync } from 'node:fs';

/*
 * Writes the type of the English texts with every text as its own type. TypeScript reads it in place of the JSON file, and
 * use-intl takes the arguments of a message from it: a missing one is an error. Without the file only keys are checked.
 */
const pack = new URL('../locales/en-US.json', import.meta.url);
const target = new URL('../locales/en-US.d.json.ts', import.meta.url);
const texts: unknown = JSON.parse(readFileSync(pack, 'utf8'));
const declaration = `// Generated from en-US.json by web/message-types.ts.
declare const texts: ${JSON.stringify(texts, null, 2)};
export = texts;
`;
writeFileSync(target, declaration);

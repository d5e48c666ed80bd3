import { Type } from 'typebox';
import { Check } from 'typebox/value';

const Package = Type.Object({
  manifest: Type.Record(Type.String(), Type.Unknown()),
  files: Type.Record(Type.String(), Type.String()),
});

/** Under these names a reviewer sees what of a package is no file of it. */
const MANIFEST_NAME = 'manifest.json';
const WHOLE_NAME = 'package.json';

/**
 * The files of a stored package (design section 7) by their names, its manifest as the first of them. What cannot be
 * read as a package is shown as it is: a reviewer must see what users would get.
 */
export function packageFiles(text: string): Map<string, string> {
  const content = parsed(text);
  if (!Check(Package, content)) return new Map([[WHOLE_NAME, text]]);
  const manifest: [string, string] = [MANIFEST_NAME, `${JSON.stringify(content.manifest, null, 2)}\n`];
  return new Map([manifest, ...Object.entries(content.files)]);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

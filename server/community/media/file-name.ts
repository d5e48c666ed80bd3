/** Names begin with a hash of the content, so two levels of folders hold millions of files. */
const FILE_NAME = /^[0-9a-f]{32}(?:[0-9a-f]{32})?(-[0-9]{2,4})?\.[a-z0-9]{2,5}$/;

export function isFileName(name: string): boolean {
  return FILE_NAME.test(name);
}

/** @throws TypeError for a name that could reach another place than a file's */
export function assertFileName(name: string): void {
  if (!isFileName(name)) throw new TypeError(`not a file name: ${name}`);
}

export { readPackageFile } from './read-packages.ts';

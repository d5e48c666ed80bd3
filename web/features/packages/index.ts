export { readPackageFile, useKnownHosts } from './read-packages.ts';

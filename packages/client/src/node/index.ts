export { folderStorage } from './folder.ts';
export { signInByLoopback } from './loopback.ts';

export { useHostWords } from './host-words.ts';
export { NewRights } from './new-rights.tsx';
export { useDialogForMembers } from './pending-dialog.ts';
export { PluginIcon } from './plugin-icon.tsx';
export { QueryError } from './query-error.tsx';

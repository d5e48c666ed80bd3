export { useHostWords } from './host-words.ts';
export { NewRights } from './new-rights.tsx';
export { PluginIcon } from './plugin-icon.tsx';
export { QueryError } from './query-error.tsx';
export { useViewer } from './viewer-context.ts';

export { packageIn } from './read-package.ts';
export { TryButton } from './try-button.tsx';
export { TryPlugin } from './try-plugin.tsx';

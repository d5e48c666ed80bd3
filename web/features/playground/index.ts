export { TryButton } from './try-button.tsx';

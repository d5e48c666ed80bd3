export { useHostWords } from './host-words.ts';

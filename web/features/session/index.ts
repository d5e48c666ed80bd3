export { signInUrl } from './sign-in-url.ts';

/** A plugin of tap: which files are tests in a folder that `npx tap` is given. Its own plugin for TypeScript would take all. */
export const testFileExtensions = ['test.ts', 'test.tsx'];
export const plugin = () => ({});

export const testFileExtensions: string[];
export function plugin(): object;

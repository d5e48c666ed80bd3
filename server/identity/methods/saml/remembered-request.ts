import type { CacheProvider } from '@node-saml/node-saml';

/**
 * Where the library keeps the id of one request: it goes with the sign-in that has begun, so that the response is taken
 * by whichever instance it comes to, and once.
 */
export function rememberedRequest(known?: string): { cache: CacheProvider; id: () => string } {
  let id = known ?? '';
  const createdAt = Date.now();
  return {
    id: () => id,
    cache: {
      saveAsync: async (key, value) => {
        id = key;
        return { value, createdAt };
      },
      getAsync: async (key) => (id !== '' && key === id ? new Date(createdAt).toISOString() : null),
      removeAsync: async (key) => {
        if (key === id) id = '';
        return key;
      },
    },
  };
}

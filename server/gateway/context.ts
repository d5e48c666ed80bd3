import type { FastifyInstance } from 'fastify';
import fp from 'fastify-plugin';
import type { GatewayOptions } from './options.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * What the gateway was created with. `publicUrl`: its address as browsers see it; `secure`: that is https;
     * `hasOwnHelp`: no help center was there already, so its calls go to community.
     */
    gateway: GatewayOptions & { publicUrl: URL; secure: boolean; hasOwnHelp: boolean };
  }
}

/** Gives every plugin the gateway's options. */
export const context = fp(
  async (app: FastifyInstance, options: GatewayOptions) => {
    const publicUrl = new URL(options.config.publicUrl);
    const { community, helpcenter } = options.upstreams;
    const hasOwnHelp = helpcenter === community;
    app.decorate('gateway', {
      ...options,
      publicUrl,
      secure: publicUrl.protocol === 'https:',
      hasOwnHelp,
    });
  },
  { name: 'gateway' },
);

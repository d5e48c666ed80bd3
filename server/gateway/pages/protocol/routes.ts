import type { FastifyInstance } from 'fastify';
import { protocolRoutes } from '../../../../shared/routes/protocol.ts';
import { type Guard, implement } from '../../../http/implement.ts';
import type { ChooseLanguage } from '../../language.ts';
import type { ProtocolIn } from './texts.ts';

const everybody: Guard = async () => undefined;

/** The text of the protocol page, for those who come to it from another page. */
export function registerProtocol(
  app: FastifyInstance,
  { protocolIn, chooseLanguage }: { protocolIn: ProtocolIn; chooseLanguage: ChooseLanguage },
): void {
  implement(app, everybody, protocolRoutes.readProtocol, ({ request, reply }) => {
    reply.header('cache-control', 'no-cache');
    return protocolIn(chooseLanguage(request));
  });
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

export type Connections = {
  /** Whether a request on this connection waits for the end of its answer. */
  isAnswering(socket: Duplex): boolean;
  /** The answer to a request of which a part is still to come, while nothing has been said on it. */
  unanswered(socket: Duplex): ServerResponse | undefined;
  /**
   * From now on the connections end: idle ones after a moment, as soon as no request is under way, all of them after
   * `deadline` milliseconds. The server is to be closed at the same time.
   */
  drain(deadline: number): void;
};

/** Milliseconds: a connection made just before the port was closed may be bringing its request. */
const FIRST_REQUEST_WITHIN = 500;

type Exchange = { request: IncomingMessage; response: ServerResponse };

/** Follows which connections of a server are in the middle of a request. */
export function watchConnections(server: Server): Connections {
  const underWay = new Map<Duplex, Exchange[]>();
  let isDraining = false;
  const closeWhenIdle = (): void => {
    if (isDraining && underWay.size === 0) server.closeAllConnections();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    underWay.set(socket, [...(underWay.get(socket) ?? []), { request, response }]);
    response.on('close', () => {
      const left = (underWay.get(socket) ?? []).filter((exchange) => exchange.response !== response);
      if (left.length > 0) underWay.set(socket, left);
      else underWay.delete(socket);
      closeWhenIdle();
    });
  });
  return {
    isAnswering: (socket) => underWay.has(socket),
    unanswered(socket) {
      const [exchange, another] = underWay.get(socket) ?? [];
      const isOpen = exchange && !another && !exchange.request.complete && !exchange.response.headersSent;
      return isOpen ? exchange.response : undefined;
    },
    drain(deadline) {
      setTimeout(() => server.closeAllConnections(), deadline).unref();
      setTimeout(() => {
        isDraining = true;
        closeWhenIdle();
      }, FIRST_REQUEST_WITHIN).unref();
    },
  };
}

import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';

export type Connections = {
  /** Whether an answer on this connection has been begun and not finished. */
  isAnswering(socket: Duplex): boolean;
  /**
   * From now on the connections end: idle ones after a moment, as soon as no request is under way, all of them after
   * `deadline` milliseconds. The server is to be closed at the same time.
   */
  drain(deadline: number): void;
};

/** Milliseconds: a connection made just before the port was closed may be bringing its request. */
const FIRST_REQUEST_WITHIN = 500;

/** Follows which connections of a server are in the middle of a request. */
export function watchConnections(server: Server): Connections {
  const underWay = new Map<Duplex, number>();
  let isDraining = false;
  const closeWhenIdle = (): void => {
    if (isDraining && underWay.size === 0) server.closeAllConnections();
  };

  server.on('request', (request, response) => {
    const { socket } = request;
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.on('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      if (left > 0) underWay.set(socket, left);
      else underWay.delete(socket);
      closeWhenIdle();
    });
  });
  return {
    isAnswering: (socket) => underWay.has(socket),
    drain(deadline) {
      setTimeout(() => server.closeAllConnections(), deadline).unref();
      setTimeout(() => {
        isDraining = true;
        closeWhenIdle();
      }, FIRST_REQUEST_WITHIN).unref();
    },
  };
}

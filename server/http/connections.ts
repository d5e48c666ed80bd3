import type { Server, ServerResponse } from 'node:http';
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

type Connection = { underWay: number; latest: ServerResponse | undefined };

/** Follows which connections of a server are in the middle of a request. */
export function watchConnections(server: Server): Connections {
  // One entry for as long as a connection lasts: anything made for each request is felt at full speed.
  const known = new WeakMap<Duplex, Connection>();
  let underWay = 0;
  let isDraining = false;
  const closeWhenIdle = (): void => {
    if (isDraining && underWay === 0) server.closeAllConnections();
  };

  server.on('request', ({ socket }, response) => {
    const connection: Connection = known.get(socket) ?? { underWay: 0, latest: undefined };
    if (!known.has(socket)) known.set(socket, connection);
    connection.underWay += 1;
    connection.latest = response;
    underWay += 1;
    response.on('close', () => {
      connection.underWay -= 1;
      underWay -= 1;
      if (connection.underWay === 0) connection.latest = undefined;
      closeWhenIdle();
    });
  });
  return {
    isAnswering: (socket) => (known.get(socket)?.underWay ?? 0) > 0,
    unanswered(socket) {
      const { underWay: requests, latest } = known.get(socket) ?? {};
      const isOpen = requests === 1 && latest && !latest.req.complete && !latest.headersSent;
      return isOpen ? latest : undefined;
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

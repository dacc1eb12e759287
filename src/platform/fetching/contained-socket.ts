import type { Socket } from 'node:net';

import type { buildConnector } from 'undici';

/**
 * Turns an exception of a listener into an error of the socket. The parser of undici 7 throws in listeners of `end`,
 * `error` and `close` if the peer closes the connection while the parser is paused. No caller can catch such an
 * exception, so any server could end the process. undici 8 has no such bug but does not run on Node 20.
 */
function containListenerErrors(socket: Socket): Socket {
  const emit = socket.emit.bind(socket);
  socket.emit = (event: string | symbol, ...values: unknown[]): boolean => {
    try {
      const hasListeners: unknown = Reflect.apply(emit, socket, [event, ...values]);
      return hasListeners === true;
    } catch (error) {
      socket.destroy(error instanceof Error ? error : undefined);
      return true;
    }
  };
  return socket;
}

/** Returns a connector for agents of undici. An exception in a listener of its sockets cannot end the process. */
export const contained =
  (connect: buildConnector.connector): buildConnector.connector =>
  (options, callback) => {
    connect(options, (...[error, socket]) => {
      if (error === null) {
        callback(null, containListenerErrors(socket));
      } else {
        callback(error, null);
      }
    });
  };

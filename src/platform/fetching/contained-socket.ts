import type { Socket } from 'node:net';

import type { buildConnector } from 'undici';

/**
 * Converts an exception in a listener of a socket to an error of the socket. In undici 7, the HTTP parser throws in a
 * listener if the server closes the connection while the parser is paused, and no caller can catch the exception.
 * Without this function, any web server could end the process. undici 8 has no such bug but does not run on Node 20.
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

/** Wraps a connector of undici, so that an exception in a listener of a socket cannot end the process. */
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

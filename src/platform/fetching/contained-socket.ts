import type { Socket } from 'node:net';

import type { buildConnector } from 'undici';

/**
 * Turns an exception of a listener into an error of the socket. The parser of undici 7 throws in listeners of `end`,
 * `error` and `close` if the peer ends while the parser is paused. No caller can catch such an exception: any server
 * could end the process. undici 8 is fixed but does not run on Node 20.
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

/** Returns a connector for agents of undici whose sockets cannot end the process. */
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

import { Server } from 'node:http';
import { Server as ListeningServer, type Socket } from 'node:net';

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';

import { Config } from '../config/config.js';

/**
 * Closes the connections of the HTTP server when the service stops. Idle connections close immediately, and connections
 * with running requests close after their responses, or after a timeout.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  /** The responses that are not completely sent, keyed by their open connection. */
  private readonly running = new Map<Socket, Set<Response>>();
  private hasBegun = false;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  get isDraining(): boolean {
    return this.hasBegun;
  }

  /**
   * Stops accepting connections, and resolves when all responses have reached their clients. Node's own `close` would
   * cut off a response that is written but not sent yet, because Node treats the connection of this response as idle.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.hasBegun = true;
    for (const answers of this.running.values()) {
      answers.forEach(closeConnectionAfter);
    }
    const server: unknown = this.adapterHost.httpAdapter.getHttpServer();
    if (server instanceof Server && server.listening) {
      ListeningServer.prototype.close.call(server);
      const ending = setTimeout(() => {
        server.closeAllConnections();
      }, this.config.shutdownTimeoutSeconds * 1000).unref();
      server.once('close', () => {
        clearTimeout(ending);
      });
      await this.answered();
    }
  }

  /**
   * Waits until all responses are sent. Checks again after each wait, because another request may arrive on an open
   * connection.
   */
  private async answered(): Promise<void> {
    for (let due = this.due(); due.length > 0; due = this.due()) {
      await Promise.all(
        due.map(([socket, answers]) =>
          Promise.race([closed(socket), Promise.all([...answers].map(closed))]),
        ),
      );
    }
  }

  private due(): [Socket, ReadonlySet<Response>][] {
    return [...this.running].filter(([, answers]) => answers.size > 0);
  }

  /**
   * Adds the response to the unsent responses. While the service stops, also closes the connection after the response.
   * If the connection stayed open, `server.close()` would wait for the timeout of idle connections.
   */
  readonly closeKeptConnections = (
    { socket }: Request,
    response: Response,
    next: NextFunction,
  ): void => {
    const answers = this.answersOn(socket);
    answers.add(response);
    response.once('close', () => answers.delete(response));
    if (this.hasBegun) {
      closeConnectionAfter(response);
    }
    next();
  };

  /**
   * Returns the unsent responses of a connection. When the connection closes, all its responses are removed together,
   * because a response in the queue of a closed connection emits no close event.
   */
  private answersOn(socket: Socket): Set<Response> {
    const known = this.running.get(socket);
    if (known !== undefined) {
      return known;
    }
    const answers = new Set<Response>();
    this.running.set(socket, answers);
    socket.once('close', () => this.running.delete(socket));
    return answers;
  }
}

const closed = (stream: Socket | Response): Promise<void> =>
  new Promise((resolve) => stream.once('close', resolve));

function closeConnectionAfter(response: Response): void {
  if (!response.headersSent) {
    response.set('Connection', 'close');
  }
}

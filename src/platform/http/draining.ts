import { Server } from 'node:http';
import { Server as ListeningServer, type Socket } from 'node:net';

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';

import { Config } from '../config/config.js';

/**
 * Closes the connections of the HTTP server during a shutdown. Idle connections close immediately, and running requests
 * may finish. After a timeout, all connections close.
 */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  /** The responses that are still due, per open connection. */
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
   * cut off a response that is written but not sent yet, because Node treats such a connection as idle.
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
   * Waits for all due responses. Repeats the check, because another request may arrive on a kept-alive connection
   * during the wait.
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
   * Closes kept-alive connections during a shutdown. Otherwise, `server.close()` would wait for the timeout of the
   * connections.
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
   * Returns the due responses of a connection. When the connection closes, all its responses are deleted from the map,
   * because a queued response emits no close event of its own.
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

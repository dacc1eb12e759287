import { Server } from 'node:http';
import { Server as ListeningServer, type Socket } from 'node:net';

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';

import { Config } from '../config/config.js';

/** Ends the connections of the HTTP server politely: running requests finish, idle ones close, all end in time. */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  /** The answers that are due on each open connection. */
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
   * Takes no more connections, and ends when all answers are with their clients. Node's own way to close a server cuts
   * off what is written of an answer and not sent yet: it counts such connections as idle.
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

  /** A kept connection may bring one more request meanwhile. */
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

  /** A connection that is kept alive would hold `server.close()` until its timeout. */
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

  /** Forgotten when the connection closes: a queued response gets no close event of its own. */
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

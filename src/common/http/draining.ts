import { Server } from 'node:http';

import { type BeforeApplicationShutdown, Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { NextFunction, Request, Response } from 'express';

import { Config } from '../../config/config.js';

/** Ends the connections of the HTTP server politely: running requests finish, idle ones close, all end in time. */
@Injectable()
export class Draining implements BeforeApplicationShutdown {
  private readonly running = new Set<Response>();
  private hasBegun = false;

  constructor(
    private readonly adapterHost: HttpAdapterHost,
    private readonly config: Config,
  ) {}

  get isDraining(): boolean {
    return this.hasBegun;
  }

  beforeApplicationShutdown(): void {
    this.hasBegun = true;
    this.running.forEach(closeConnectionAfter);
    const server: unknown = this.adapterHost.httpAdapter.getHttpServer();
    if (server instanceof Server) {
      setTimeout(() => {
        server.closeAllConnections();
      }, this.config.shutdownTimeoutSeconds * 1000).unref();
    }
  }

  /** A connection that is kept alive would hold `server.close()` until its timeout. */
  readonly closeKeptConnections = (
    _request: Request,
    response: Response,
    next: NextFunction,
  ): void => {
    this.running.add(response);
    response.once('close', () => this.running.delete(response));
    if (this.hasBegun) {
      closeConnectionAfter(response);
    }
    next();
  };
}

function closeConnectionAfter(response: Response): void {
  if (!response.headersSent) {
    response.set('Connection', 'close');
  }
}

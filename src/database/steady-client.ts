import pg from 'pg';

/**
 * A connection that may end at any moment. Between the pool that hands it out and TypeORM that takes it nobody
 * listens, and an error event without a listener ends the process; whoever queries is told by the query itself.
 */
export class SteadyClient extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config);
    this.on('error', () => undefined);
  }
}

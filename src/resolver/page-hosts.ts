import { Injectable } from '@nestjs/common';

import { Database } from '../database/database.js';
import { run } from '../database/statements.js';
import { normalAddress } from '../reading-list/list/address.js';
import type { HostManners } from './fetching/host-manners.js';
import { HostTurns } from './host-turns.js';

/** $1 is the host. */
const REST = `
    SELECT extract(epoch FROM until - now())::float8 AS seconds FROM host_pauses WHERE host = $1 AND until > now()`;

/** Hosts of pages, by the names that the queue knows them under. */
@Injectable()
export class PageHosts implements HostManners {
  private readonly turns = new HostTurns();

  constructor(private readonly database: Database) {}

  inTurn<T>(url: URL, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
    return this.turns.run(hostOf(url), signal, ask);
  }

  async restOf(url: URL): Promise<number> {
    const [pause] = await this.database.read((manager) =>
      run<{ seconds: number }>(manager, { text: REST, values: [hostOf(url)] }),
    );
    return pause?.seconds ?? 0;
  }
}

const hostOf = (url: URL): string => normalAddress(url.href)?.domain ?? url.hostname;

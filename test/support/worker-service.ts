import request, { type Response } from 'supertest';

import { until } from './processes.js';
import type { ServiceProcess } from './service-process.js';

interface LogLine {
  readonly process?: string;
  readonly msg?: string;
  readonly reqId?: string;
  readonly worker?: string;
  readonly pid?: number;
}

/** A service with several processes, as its clients and its log show it. */
export class WorkerService {
  constructor(readonly service: ServiceProcess) {}

  /** On a connection of its own, which goes to one of the processes. */
  post(path: string, members: object): Promise<Response> {
    return Promise.resolve(request(this.service.url).post(path).send(members));
  }

  async upload(path: string, members: object, file: string): Promise<void> {
    const sent = request(this.service.url).post(path);
    for (const [name, value] of Object.entries(members)) {
      void sent.field(name, String(value));
    }
    await sent.attach('file', Buffer.from(file), 'saved.txt').expect(200);
  }

  /** By a process of this name. */
  async postTo(name: string, path: string, members: object): Promise<Response> {
    for (;;) {
      const response = await this.post(path, members);
      if ((await this.answererOf(response)) === name) {
        return response;
      }
    }
  }

  /** The name of the process that has answered. */
  async answererOf(response: Response): Promise<string | undefined> {
    const id: unknown = response.headers['x-request-id'];
    const line = (): LogLine | undefined => this.log.find(({ reqId }) => reqId === id);
    await until(() => line() !== undefined, 'the line of the request');
    return line()?.process;
  }

  /** The process ids that a worker has had, the latest last. */
  pidsOf(name: string): number[] {
    return this.log
      .filter(({ msg, worker }) => msg === 'worker ready' && worker === name)
      .map(({ pid = 0 }) => pid);
  }

  pidOf(name: string): number {
    return this.pidsOf(name).at(-1) ?? 0;
  }

  /** All workers, in the order in which they became ready. */
  get pids(): number[] {
    return this.log.filter(({ msg }) => msg === 'worker ready').map(({ pid = 0 }) => pid);
  }

  get log(): LogLine[] {
    return this.service.stderr
      .split('\n')
      .filter((line) => line.startsWith('{') && line.endsWith('}'))
      .map((line) => JSON.parse(line) as LogLine);
  }
}

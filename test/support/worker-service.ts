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

/** A service with several processes, seen through its calls and its log. */
export class WorkerService {
  constructor(readonly service: ServiceProcess) {}

  /** Posts on a new connection, which any of the processes may accept. */
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

  /** Repeats a call until the named process has answered it. */
  async postTo(name: string, path: string, members: object): Promise<Response> {
    for (;;) {
      const response = await this.post(path, members);
      if ((await this.answererOf(response)) === name) {
        return response;
      }
    }
  }

  /** Returns the name of the process that answered. */
  async answererOf(response: Response): Promise<string | undefined> {
    const id: unknown = response.headers['x-request-id'];
    const line = (): LogLine | undefined => this.log.find(({ reqId }) => reqId === id);
    await until(() => line() !== undefined, 'the line of the request');
    return line()?.process;
  }

  /** Returns the process ids of a worker, the latest last. */
  pidsOf(name: string): number[] {
    return this.log
      .filter(({ msg, worker }) => msg === 'worker ready' && worker === name)
      .map(({ pid = 0 }) => pid);
  }

  pidOf(name: string): number {
    return this.pidsOf(name).at(-1) ?? 0;
  }

  /** Process ids of all workers, in the order in which they became ready. */
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

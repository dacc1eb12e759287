import { createServer, type Server } from 'node:net';
import { kill } from 'node:process';

import { isAlive, until } from '../support/processes.js';
import { aFreePort, Installation } from '../support/service-process.js';
import { WorkerService } from '../support/worker-service.js';

const WEB = ['web 1', 'web 2'];

let installation: Installation;
beforeEach(() => {
  installation = new Installation();
});
afterEach(() => installation.close());

/** Returns undefined if the port is in use. */
const listening = (port: string): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const server = createServer().once('error', () => {
      resolve(undefined);
    });
    server.listen(Number(port), () => {
      resolve(server);
    });
  });

describe('web workers that can no longer start', () => {
  it('end the service and its embedded database', async () => {
    const PORT = await aFreePort();
    const service = new WorkerService(await installation.started({ PORT, SATCHEL_WORKERS: '2' }));
    let other: Server | undefined;

    await until(async () => {
      WEB.map((name) => service.pidOf(name))
        .filter(isAlive)
        .forEach((pid) => kill(pid, 'SIGKILL'));
      other = await listening(PORT);
      return other !== undefined;
    }, 'the port of the dead workers');

    const { code, stderr } = await service.service.ended;
    other?.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(/\nsatchel: no worker starts any more: .*EADDRINUSE.*\n$/);
    expect(service.pids.filter(isAlive)).toEqual([]);
    expect(installation.serverId).toBeUndefined();
  });
});

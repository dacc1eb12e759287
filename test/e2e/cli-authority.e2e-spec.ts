import { X509Certificate } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connect, createServer, type Server } from 'node:tls';

import { certify } from '../../src/lib/certificates/authority.js';
import { Workplace } from '../support/processes.js';

const HOSTS = ['getpocket.com', 'www.getpocket.com', 'api.getpocket.com', 'text.getpocket.com'];

let workplace: Workplace;
let folder: string;
const servers: Server[] = [];

beforeAll(() => {
  workplace = new Workplace();
  folder = join(workplace.directory, 'authority');
});
afterAll(() => {
  servers.forEach((server) => server.close());
  workplace.remove();
});

const authority = (...words: string[]) => workplace.runHere(['authority', ...words]);
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

/** Connects to a server with this certificate, as a client that trusts the authority. Returns an error, or undefined. */
async function visit(
  host: string,
  { certificate, key } = { certificate: read('server.crt'), key: read('server.key') },
): Promise<string | undefined> {
  const server = createServer({ cert: certificate, key }, (socket) => socket.end());
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  server.on('tlsClientError', () => undefined);
  const { port } = server.address() as AddressInfo;
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', servername: host, ca: read('root.crt') });
    socket.on('secureConnect', () => {
      resolve(undefined);
      socket.destroy();
    });
    socket.on('error', (error: Error) => {
      resolve(error.message);
    });
  });
}

describe('satchel authority', () => {
  it('makes a root and a certificate that a client trusts for each host of Pocket', async () => {
    const { code, stdout, stderr } = await authority('create', folder, '--address', '192.0.2.7');

    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toContain(`192.0.2.7 ${HOSTS.join(' ')}`);
    expect(stderr).toContain('NODE_EXTRA_CA_CERTS=');
    for (const host of HOSTS) {
      expect(await visit(host)).toBeUndefined();
    }
    expect(await visit('example.com')).toContain("does not match certificate's altnames");
    expect(
      ['root.key', 'server.key'].map((name) => statSync(join(folder, name)).mode & 0o777),
    ).toEqual([...[0o600, 0o600]]);
  });

  it('makes a root that cannot vouch for another site, also with its key', async () => {
    const root = { certificate: read('root.crt'), key: read('root.key') };

    const stolen = await certify(root, ['bank.example'], new Date());

    expect(await visit('bank.example', stolen)).toContain('permitted subtree violation');
  });

  it('lets a certificate last as long as Apple allows, and a root for ten years', () => {
    const days = (name: string): number => {
      const { validFrom, validTo } = new X509Certificate(read(name));
      return (Date.parse(validTo) - Date.parse(validFrom)) / (24 * 60 * 60 * 1000);
    };

    expect([days('server.crt'), days('root.crt')]).toEqual([397, 3650]);
  });

  it('renews the certificate under the same root, for allowed hosts only', async () => {
    const before = { root: read('root.crt'), server: read('server.crt') };

    const refused = await authority('renew', folder, '--hosts', 'getpocket.com,bank.example');
    const unchanged = read('server.crt');
    const renewed = await authority('renew', folder, '--hosts', 'sync.getpocket.com');

    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain('may not vouch for bank.example, only for getpocket.com');
    expect(unchanged).toBe(before.server);
    expect(renewed).toMatchObject({ code: 0, stderr: expect.stringContaining('valid until') });
    expect(read('root.crt')).toBe(before.root);
    expect(await visit('sync.getpocket.com')).toBeUndefined();

    const again = await authority('renew', folder);

    expect(again.code).toBe(0);
    expect(await visit('sync.getpocket.com')).toBeUndefined();
    expect(await visit('getpocket.com')).toContain('does not match');
  });

  it('renews nothing with the key of another authority', async () => {
    const other = join(workplace.directory, 'other');
    await authority('create', other);
    writeFileSync(join(other, 'root.key'), read('root.key'));
    const before = readFileSync(join(other, 'server.crt'), 'utf8');

    const { code, stderr } = await authority('renew', other);

    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: expect.stringContaining('is not the key of'),
    });
    expect(readFileSync(join(other, 'server.crt'), 'utf8')).toBe(before);
  });

  it('replaces no authority, and rejects names that are no hosts', async () => {
    const before = read('root.key');

    const again = await authority('create', folder);
    const withoutKey = join(workplace.directory, 'without-key');
    mkdirSync(withoutKey);
    writeFileSync(join(withoutKey, 'root.crt'), read('root.crt'));
    const half = await authority('create', withoutKey);
    const wrong = await Promise.all(
      ['*', 'localhost', '10.0.0.1', 'a b.com', 'https://getpocket.com', ''].map((hosts) =>
        authority('create', join(workplace.directory, 'wrong'), '--hosts', hosts),
      ),
    );
    const missing = await authority('renew', join(workplace.directory, 'none'));

    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
    expect(read('root.key')).toBe(before);
    expect(half).toMatchObject({ code: 2, stderr: expect.stringContaining('is there already') });
    expect(existsSync(join(withoutKey, 'root.key'))).toBe(false);
    expect(wrong.map(({ code }) => code)).toEqual([2, 2, 2, 2, 2, 2]);
    expect(missing).toMatchObject({ code: 2, stderr: expect.stringContaining('authority create') });
  });
});

import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { promisify } from 'node:util';

import request, { type Response } from 'supertest';

import { until } from '../support/processes.js';
import { aTakenPort, Installation, type ServiceProcess } from '../support/service-process.js';

type Tokens = Readonly<Record<string, string | undefined>>;

const ADA = { email: 'ada@example.com', password: 'a long pass phrase' };
const WELCOME_KEY = /^ {4}(\d+-[0-9a-f]{24})$/m;

/** The service of this installation is started more than once. */
let installation: Installation;
let first: ServiceProcess;
/** Answers of the three curl commands in the welcome text. */
let curled: string[];
/** Credentials from a login at the first start. */
let proofs: Record<'access' | 'refresh' | 'cookie', string>;
/** Everything that must not occur in a log. */
const secrets: string[] = [ADA.password];

const post = (service: ServiceProcess, path: string, body?: object): request.Test => {
  const sent = request(service.url).post(path);
  return body === undefined ? sent : sent.send(body);
};
const statusOf = async (sent: PromiseLike<Response>): Promise<number> => (await sent).status;
const statusOfReady = (service: ServiceProcess): Promise<number> =>
  statusOf(request(service.url).get('/ready'));
const login = (service: ServiceProcess, email: string): Promise<number> =>
  statusOf(post(service, '/login', { ...ADA, email }));

/** Returns true if a new connection is refused. */
const isClosed = ({ url }: ServiceProcess): Promise<boolean> =>
  request(url)
    .get('/health')
    .then(
      () => false,
      (error: unknown) => String(error).includes('ECONNREFUSED'),
    );

beforeAll(async () => {
  installation = new Installation();
  first = await installation.started();
  const lines = first.stdout.split('\n').filter((line) => line.includes('curl '));
  const { stdout } = await promisify(execFile)('sh', ['-c', lines.join('\necho\n')]);
  curled = stdout.split('\n');
  const { headers, body } = await post(first, '/login', ADA);
  const { access_token: access = '', refresh_token: refresh = '' } = body as Tokens;
  proofs = { access, refresh, cookie: String(headers['set-cookie']).split(';')[0] ?? '' };
  secrets.push(access, refresh, proofs.cookie.replace('session=', ''));
});
afterAll(() => installation.close());

describe('the first start', () => {
  it('prints the address of the service', async () => {
    expect(first.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(await statusOfReady(first)).toBe(200);
  });

  it('prints the only consumer key, which the command line lists while the service runs', async () => {
    const key = WELCOME_KEY.exec(first.stdout)?.[1] ?? '';
    secrets.push(key);

    const { code, stdout } = await installation.run(['consumer-key', 'list', '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual([
      expect.objectContaining({
        id: key.split('-')[0],
        permissions: ['retrieve', 'add', 'modify'],
        state: 'enabled',
      }),
    ]);
    expect(await statusOfReady(first)).toBe(200);
  });

  it('prints three commands that register, log in and save a page', () => {
    const [registered = '', loggedIn, added = ''] = curled;

    expect(JSON.parse(registered)).toEqual({ user_id: '1', name: 'Ada', email: ADA.email });
    expect(loggedIn).toBe('');
    expect(JSON.parse(added)).toMatchObject({
      item: { given_url: 'https://example.com/' },
      status: 1,
    });
  });
});

describe('a second service on the same data folder', () => {
  it('exits with an error, and the first service stays ready', async () => {
    const { code, stdout, stderr } = await installation.start().ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(
      `satchel: another service is running on ${installation.dataDirectory}`,
    );
    expect(await statusOfReady(first)).toBe(200);
  });
});

describe('SIGTERM', () => {
  it('lets a running request finish, then stops the service and its database server', async () => {
    const body = JSON.stringify({ ...ADA, name: 'Slow', email: 'slow@example.com' });
    const slow = httpRequest(`${first.url}/register`, {
      method: 'POST',
      headers: {
        'Content-Type': 'application/json',
        'Content-Length': body.length,
        Expect: '100-continue',
      },
    });
    slow.flushHeaders();
    await once(slow, 'continue');

    first.kill('SIGTERM');
    await until(() => isClosed(first), 'the end of the listening');
    slow.end(body);
    const [answer] = (await once(slow, 'response')) as [{ statusCode: number; headers: object }];
    const { code, signal } = await first.ended;

    expect(answer.statusCode).toBe(201);
    expect(answer.headers).toMatchObject({ connection: 'close' });
    expect({ code, signal }).toEqual({ code: 0, signal: null });
    expect(installation.serverId).toBeUndefined();
  });
});

describe('the command line while the service is stopped', () => {
  it('works and leaves no database server running', async () => {
    const { code, stdout } = await installation.run(['user', 'list', '--json']);

    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toContainEqual(expect.objectContaining({ email: ADA.email }));
    expect(installation.serverId).toBeUndefined();
  });
});

describe('the next start', () => {
  let next: ServiceProcess;

  beforeAll(async () => {
    // The database may take the same time again to stop.
    next = await installation.started({
      SHUTDOWN_TIMEOUT: '5',
      REGISTRATION: 'closed',
      DATABASE_REPLICA_URLS: 'postgres://db2.example.com/satchel',
    });
  });

  it('accepts earlier logins, cookies and tokens, prints no key, and reports a removed setting', async () => {
    const logins = [{ Cookie: proofs.cookie }, { Authorization: `Bearer ${proofs.access}` }];
    const closed = 'Registration is closed: satchel user create makes an account.';
    const removed =
      'DATABASE_REPLICA_URLS is no longer used: Satchel reads everything from DATABASE_URL. Remove the setting.';
    expect(next.stdout).toBe(`Satchel listens on ${next.url}\n${closed}\n${removed}\n`);
    expect(await statusOf(post(next, '/register', { ...ADA, name: 'Eve' }))).toBe(403);
    expect(await statusOf(post(next, '/refresh', { refresh_token: proofs.refresh }))).toBe(200);
    for (const headers of logins) {
      expect(await statusOf(request(next.url).post('/login').set(headers))).toBe(200);
    }
    expect(await login(next, ADA.email)).toBe(200);
  });

  it('stops at SIGTERM although a client does not send its body', async () => {
    const stuck = httpRequest(`${next.url}/register`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'Content-Length': 9, Expect: '100-continue' },
    });
    stuck.on('error', () => undefined).flushHeaders();
    await once(stuck, 'continue');

    next.kill('SIGTERM');

    expect(await next.ended).toMatchObject({ code: 0, signal: null });
  });
});

describe('a start that fails', () => {
  it.each(['as the service', 'as a command'])(
    'reports that the port is taken, and leaves no database server running: %s',
    async (how) => {
      const { port: PORT, free } = await aTakenPort();

      const ended =
        how === 'as a command'
          ? installation.run(['serve'], { variables: { PORT } })
          : installation.start({ PORT }).ended;
      const { code, stdout, stderr } = await ended;

      free();
      expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
      expect(stderr).toMatch(new RegExp(`satchel: .*EADDRINUSE.*:${PORT}`));
      expect(installation.serverId).toBeUndefined();
    },
  );

  it('reports every invalid variable', async () => {
    const faulty = { PORT: 'http', SESSION_SECRET: 'hunter2', TRUST_PROXY: 'yes' };

    const { code, stdout, stderr } = await installation.start(faulty).ended;

    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr.match(/^ {2}\w+(?=: )/gm)).toHaveLength(3);
    expect(Object.keys(faulty).filter((name) => !stderr.includes(`  ${name}: `))).toEqual([]);
    expect(stderr).not.toMatch(/hunter2|\n {4}at /);
  });
});

describe('standard error', () => {
  it('contains only JSON lines and messages, and no secrets', () => {
    const { log } = installation;

    const lines = log.split('\n').filter((line) => !/^(\{.*\}|satchel: .+|  \w+: .+|)$/.test(line));
    expect(lines).toEqual([]);
    expect(secrets.filter((secret) => secret === '' || log.includes(secret))).toEqual([]);
  });
});

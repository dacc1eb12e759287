import { MailServer } from '../support/mail-server.js';
import { type Variables, Workplace } from '../support/processes.js';
import { aDatabase, type TestDatabase } from '../support/test-database.js';

interface Finding {
  readonly check: string;
  readonly state: string;
  readonly detail: string;
}

let database: TestDatabase;
let workplace: Workplace;
let mails: MailServer;

beforeAll(async () => {
  database = await aDatabase();
  mails = await MailServer.begin();
  workplace = new Workplace({ DATABASE_URL: database.url, ...sending() });
});
afterAll(async () => {
  workplace.remove();
  await mails.close();
  await database.drop();
});

/** The settings with which the service sends mail. */
const sending = (): Variables => ({
  SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
  MAIL_FROM: 'satchel@example.com',
  PUBLIC_URL: 'http://127.0.0.1:3000',
});

/** Runs the command, and returns its findings of one check, and its exit code. */
async function examined(check: string, place = workplace): Promise<readonly [Finding[], number]> {
  const { code, stdout } = await place.runHere(['doctor', '--json']);
  const findings = JSON.parse(stdout) as Finding[];
  return [findings.filter((finding) => finding.check === check), code ?? -1];
}

describe('satchel doctor', () => {
  it('warns about entries of a queue that have waited for more than an hour', async () => {
    await database.query(`
      WITH ada AS (INSERT INTO users (name, email, password_hash) VALUES ('Ada', 'ada@example.com', '') RETURNING id)
      INSERT INTO security_mails (user_id, email, has_password, audience, kind, actor, address, device, details, at, due_at)
      SELECT id, 'ada@example.com', true, 'account', 'password_changed', 'user', '', '', '{}', now() - make_interval(hours => age),
        now() - make_interval(hours => age)
      FROM ada, unnest(ARRAY[3, 0]) age`);

    const [findings, code] = await examined('queues');

    expect(code).toBe(0);
    expect(findings).toEqual([
      {
        check: 'queues',
        state: 'warning',
        detail: expect.stringMatching(
          /^security-mails: 2 wait, the first for 3\.0 hours: is the service running\?/,
        ),
      },
    ]);
  });

  it('skips the queues that the settings turn off', async () => {
    await database.query(`
      WITH joan AS (INSERT INTO users (name, email, password_hash) VALUES ('Joan', 'joan@example.com', '') RETURNING id),
      mail AS (INSERT INTO security_mails (user_id, email, has_password, audience, kind, actor, address, device, details, at, due_at)
        SELECT id, 'joan@example.com', true, 'account', 'password_changed', 'user', '', '', '{}', at, at
        FROM joan, (SELECT now() - interval '2 hours' AS at) AS past)
      INSERT INTO e_reader_settings (user_id, address, archives, minute_of_day, time_zone, weekdays, most_articles, only_new, next_digest_at)
      SELECT id, 'joan@kindle.example', false, 0, 'UTC', '{1}', 10, false, now() - interval '2 hours' FROM joan`);
    const places = [{}, { EREADER_MAIL: 'off' }, { SMTP_URL: '' }].map(
      (off) => new Workplace({ DATABASE_URL: database.url, ...sending(), ...off }),
    );

    const queues: string[][] = [];
    for (const place of places) {
      const [findings] = await examined('queues', place);
      place.remove();
      queues.push(findings.map(({ detail }) => detail.split(':')[0] ?? ''));
    }

    const none = 'no entry has waited for more than an hour';
    expect(queues).toEqual([['digests', 'security-mails'], ['security-mails'], [none]]);
  });

  it('says how to make room for pictures that wait because the stored pictures have reached their limit', async () => {
    const keeping = { DATABASE_URL: database.url, KEEP_PICTURES: 'on' };
    const [full, roomy] = [
      new Workplace({ ...keeping, KEEP_PICTURES_MAX_MB: '1' }),
      new Workplace(keeping),
    ];
    await database.query(
      `INSERT INTO pictures (url_key, url, host, image, due_at) VALUES
       ('a', '', '', decode(repeat('00', 1000000), 'hex'), NULL), ('b', '', '', NULL, now() - interval '2 hours')`,
    );
    const details = [await examined('queues', full), await examined('queues', roomy)].map(
      ([findings]) =>
        findings.map(({ detail }) => detail).filter((detail) => detail.startsWith('pictures')),
    );
    full.remove();
    roomy.remove();
    await database.query(`DELETE FROM pictures`);

    const waiting = 'pictures: 1 wait, the first for 2.0 hours';
    expect(details).toEqual([
      [expect.stringMatching(`^${waiting}: .*: raise it, or set KEEP_PICTURES=off$`)],
      [expect.stringMatching(`^${waiting}: is the service running`)],
    ]);
  });

  it('warns about users whose storage has no room for more pictures', async () => {
    const keeping = new Workplace({ DATABASE_URL: database.url, KEEP_PICTURES: 'on' });
    const before = await examined('pictures', keeping);
    await database.query(
      `WITH eve AS (INSERT INTO users (name, email, password_hash) VALUES ('Eve', 'eve@example.com', '') RETURNING id)
       INSERT INTO picture_users (user_id, is_full) SELECT id, true FROM eve`,
    );

    const [after, code] = await examined('pictures', keeping);
    keeping.remove();

    expect(before).toEqual([
      [{ check: 'pictures', state: 'ok', detail: '0 of 20000 MB are used' }],
      0,
    ]);
    expect(code).toBe(0);
    expect(after).toEqual([
      {
        check: 'pictures',
        state: 'warning',
        detail: expect.stringMatching(/pictures: 1: raise STORAGE_LIMIT_PER_USER/),
      },
    ]);
  });

  it('reports a database that accepts no changes', async () => {
    const name = new URL(database.url).pathname.slice(1);
    await database.query(`ALTER DATABASE "${name}" SET default_transaction_read_only = on`);

    const [findings, code] = await examined('writing');

    expect(code).toBe(1);
    expect(findings).toMatchObject([
      { state: 'fault', detail: expect.stringContaining('primary server') },
    ]);
  });
});

import type { Response } from 'supertest';

import { UserAdministrationService } from '../../src/auth/user-administration.service.js';
import type { Config } from '../../src/platform/config/config.js';
import { bookIn, E_READER_PATH, EReaderWorld } from '../support/e-reader-world.js';
import { shownText } from '../support/page-visitor.js';
import { aTestApp, NO_LIMITS, type TestApp } from '../support/test-app.js';

const TEST = `${E_READER_PATH}/test`;
const HERE = '203.0.113.7';
const THERE = '198.51.100.7';

type Reader = Awaited<ReturnType<EReaderWorld['settled']>>;

let world: EReaderWorld;
let other: TestApp;

beforeAll(async () => {
  world = await EReaderWorld.begin({ trustProxy: 1 });
  other = await aTestApp({ beside: world.app });
});
afterAll(async () => {
  await other.close();
  await world.close();
});
afterEach(async () => {
  await world.idle();
  // Disables digests, so that one test does not use up the mails of the next.
  await world.app.database.query('UPDATE e_reader_settings SET next_digest_at = NULL');
});

/** Starts a new day with these limits. */
async function limitTo(limits: Partial<Config['limits']>): Promise<void> {
  await world.app.database.query('DELETE FROM throttle_counters');
  raise(limits);
}

/** Changes the limits, as a restart with other settings would. */
const raise = (limits: Partial<Config['limits']>): void => {
  Object.assign(world.app.config, { limits: { ...NO_LIMITS, ...limits } });
};

async function send({ visitor }: Reader, from = HERE): Promise<Response> {
  const _csrf = await visitor.csrfToken();
  return visitor.post(TEST, { _csrf }).set('X-Forwarded-For', from);
}

const mailsTo = ({ address }: Reader) => world.server.sentTo(address).length;

/** Counts the warnings in the logs of both instances. */
const warnings = (): number =>
  [world.app, other].flatMap((app) => app.log().match(/EREADER_LIMIT_PER_DAY is reached/g) ?? [])
    .length;

describe('the daily mail limit of a client address', () => {
  it('counts the mails of all users at the address, and does not limit other addresses', async () => {
    const [ada, bob] = [await world.settled(), await world.settled()];
    await limitTo({ eReaderMailPerAddress: 2 });
    expect([(await send(ada)).status, (await send(bob)).status]).toEqual([303, 303]);

    const refused = await send(bob);

    expect(refused.status).toBe(429);
    expect(shownText(refused)).toContain(
      'Your network has reached its daily limit of 2 emails to e-readers. Try again in 24 hours.',
    );
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(86_000);
    expect((await send(bob, THERE)).status).toBe(303);
    await world.idle();
    expect([mailsTo(ada), mailsTo(bob)]).toEqual([1, 2]);
  });

  it('counts an IPv6 network as one address', async () => {
    const ada = await world.settled();
    await limitTo({ eReaderMailPerAddress: 1 });

    const statuses = [];
    for (const address of ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:3::1']) {
      statuses.push((await send(ada, address)).status);
    }

    expect(statuses).toEqual([303, 429, 303]);
  });

  it('does not count a rejected mail against the limit of the user', async () => {
    const [ada, bob] = [await world.settled(), await world.settled()];
    await limitTo({ eReaderMailPerAddress: 1, eReaderMailPerUser: 1 });
    await send(ada);

    expect((await send(bob)).status).toBe(429);

    expect((await send(bob, THERE)).status).toBe(303);
  });

  it('does not count digests', async () => {
    const ada = await world.settled({ digest: '1' });
    await ada.api.saved('https://example.com/');
    await limitTo({ eReaderMailPerAddress: 1 });
    await world.untilDue(ada.userId);
    await world.sendDue();
    await world.server.mailTo(ada.address);

    expect((await send(ada)).status).toBe(303);
  });
});

describe('the daily mail limit of the service', () => {
  it('counts the mails of all users and addresses, and logs one warning', async () => {
    const [ada, bob] = [await world.settled(), await world.settled()];
    await limitTo({ eReaderMailPerDay: 2 });
    const before = warnings();
    await send(ada, HERE);
    await send(bob, THERE);

    const refused = [await send(ada, HERE), await send(bob, THERE)];

    expect(refused.map(({ status }) => status)).toEqual([429, 429]);
    expect(shownText(refused[0]!)).toContain('This service has reached its daily limit of emails');
    await world.idle();
    expect([mailsTo(ada), mailsTo(bob)]).toEqual([1, 1]);
    expect(warnings() - before).toBe(1);
  });

  it('does not count a rejected mail against the limits of the user and the address', async () => {
    const [ada, bob] = [await world.settled(), await world.settled()];
    const narrow = { eReaderMailPerUser: 1, eReaderMailPerAddress: 1 };
    await limitTo({ ...narrow, eReaderMailPerDay: 1 });
    await send(ada, HERE);
    expect((await send(bob, THERE)).status).toBe(429);

    raise({ ...narrow, eReaderMailPerDay: 2 });

    expect((await send(bob, THERE)).status).toBe(303);
  });

  it('allows exactly as many concurrent mails as the limit at two instances together', async () => {
    const readers: Reader[] = [];
    for (let number = 0; number < 6; number += 1) {
      readers.push(await world.settled({ digest: '1' }));
    }
    for (const { api } of readers.slice(0, 3)) {
      await api.saved('https://example.com/');
    }
    await limitTo({ eReaderMailPerDay: 2 });
    await world.untilDue(readers[0]!.userId);

    await Promise.all([
      world.sendDue(other),
      world.sendDue(other),
      ...readers.slice(3).map((reader, at) => send(reader, `203.0.113.${at}`)),
    ]);

    await world.idle();
    expect(readers.map(mailsTo).reduce((sum, mails) => sum + mails, 0)).toBe(2);
  });

  it('postpones a digest, shows the reason to the user, and sends its articles with the next digest', async () => {
    const [ada, bob] = [
      await world.settled({ digest: '1', only_new: '1' }),
      await world.settled({ digest: '1', only_new: '1' }),
    ];
    for (const { api } of [ada, bob]) {
      await api.saved('https://example.com/held-back');
    }
    await limitTo({ eReaderMailPerDay: 1 });
    await world.untilDue(ada.userId);
    await world.untilDue(bob.userId);
    await world.sendDue(other);
    expect([ada, bob].map(mailsTo).toSorted()).toEqual([0, 1]);
    const [sent, held] = mailsTo(ada) === 1 ? [ada, bob] : [bob, ada];

    expect(shownText(await held.visitor.open(E_READER_PATH), '[role=alert]')).toContain(
      'daily limit of emails to e-readers. The next digest will contain the articles.',
    );
    await world.app.database.query('UPDATE throttle_counters SET expires_at = now()');
    await world.untilDue(held.userId);
    await world.sendDue(other);

    const book = await bookIn(await world.server.mailTo(held.address));
    expect(Object.values(book).join()).toContain('https://example.com/held-back');
    expect(mailsTo(sent)).toBe(1);
  });

  it('does not count the digest of a disabled user', async () => {
    const [ada, bob] = [await world.settled({ digest: '1' }), await world.settled()];
    await ada.api.saved('https://example.com/');
    await world.app.app.get(UserAdministrationService).disable(ada.api.user.email);
    await limitTo({ eReaderMailPerDay: 1 });
    await world.untilDue(ada.userId);
    await world.sendDue();

    expect((await send(bob)).status).toBe(303);
  });
});

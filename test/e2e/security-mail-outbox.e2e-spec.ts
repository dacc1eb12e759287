import { SecurityMailRepository } from '../../src/auth/security-mails/security-mail.repository.js';
import { SecurityMailSender } from '../../src/auth/security-mails/security-mail-sender.js';
import { AccountApi } from '../support/account-api.js';
import { aVisitor } from '../support/oauth-api.js';
import { until } from '../support/processes.js';
import {
  messageIdOf,
  SecurityMailWorld,
  textOf,
  type Visitor,
} from '../support/security-mail-world.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const MINUTE = 60;
const DAY = 24 * 60 * MINUTE;

let world: SecurityMailWorld;
let other: TestApp;
/** An instance that one test stops. */
let stopped: TestApp;
let reply: { code: number; text: string } | undefined;
let resume: () => void;
let ada: Visitor;

beforeAll(async () => {
  world = await SecurityMailWorld.begin(() => reply);
  // The last instance checks the passwords of all instances, so it stays open.
  stopped = await aTestApp({ beside: world.app });
  other = await aTestApp({ beside: world.app });
});
afterAll(async () => {
  await stopped.close();
  await other.close();
  await world.close();
});
beforeEach(async () => {
  reply = undefined;
  ada = await world.user();
  await world.app.database.query('DELETE FROM security_mails');
  resume = SecurityMailWorld.pause();
});
afterEach(() => jest.restoreAllMocks());

const sent = () => world.server.sentTo(ada.user.email);

/** Returns the minutes until the next attempt. Undefined if the outbox is empty. */
async function pauseMinutes(): Promise<number | undefined> {
  const [row] = await world.outbox();
  return row && Math.round((row.due_at.getTime() - world.app.clock.now().getTime()) / 60_000);
}

const sendOnce = (app = world.app): Promise<boolean> => app.app.get(SecurityMailSender).sendNext();

/** Moves the clock, and keeps the loops of the instances from sending mails. */
function later(seconds: number): void {
  world.app.clock.advance(seconds);
}

const linesAbout = (text: string): string[] =>
  [world.app, stopped, other]
    .flatMap((app) => app.log().split('\n'))
    .filter((line) => line.includes(text));

const isAboutAda = (line: string): boolean => line.includes(`"userId":"${ada.user.id}"`);

const givenUp = (): number =>
  [world.app, other]
    .flatMap(({ app }) => app.get(SecurityMailSender).resultCounts())
    .filter(({ labels }) => labels?.['result'] === 'given-up')
    .reduce((sum, { value }) => sum + value, 0);

describe('the outbox of mails about changes of security', () => {
  it('keeps a mail while the service restarts', async () => {
    const visitor = await aVisitor(stopped, ada.user);
    await world.changePassword(Object.assign(visitor, { user: ada.user }));
    await stopped.close();
    expect(sent()).toHaveLength(0);

    resume();

    await world.server.mailTo(ada.user.email);
    await until(async () => (await world.outbox()).length === 0);
    expect(sent()).toHaveLength(1);
  });

  it('sends each mail once if several instances look for mails at the same time', async () => {
    await world.changePassword(ada);
    await world.press(ada, '/account/devices', '/account/feeds');
    expect(await world.outbox()).toHaveLength(2);

    resume();
    await world.sendDue(other, other, world.app);
    await until(async () => (await world.outbox()).length === 0);

    expect(sent()).toHaveLength(2);
  });

  it('does not send a mail of a change that is rolled back', async () => {
    const failed = jest
      .spyOn(SecurityMailRepository.prototype, 'queue')
      .mockImplementationOnce(async function (this: SecurityMailRepository, event, audience) {
        failed.mockRestore();
        await this.queue(event, audience);
        throw new Error('the connection is lost');
      });

    await world.press(ada, '/account/security', '/account/password', {
      ...{ current: ada.user.password, password: 'another long pass phrase' },
    });

    expect(await world.outbox()).toEqual([]);
    await new AccountApi(world.app).login(ada.user).expect(200);
  });

  it('tries again while the mail server fails, and sends the mail when it has recovered', async () => {
    await world.changePassword(ada);
    reply = { code: 451, text: 'try again later' };
    const { attempts } = world.server;
    resume();
    await sendOnce();
    await until(async () => ((await pauseMinutes()) ?? 0) > 0);
    expect(sent()).toHaveLength(0);
    expect(await pauseMinutes()).toBe(5);
    // An attempt that waits would keep other mails from being sent.
    expect(world.server.attempts).toBe(attempts + 1);

    reply = undefined;
    later(5 * MINUTE);
    await world.sendDue(other);
    await until(async () => (await world.outbox()).length === 0);

    expect(sent()).toHaveLength(1);
  });

  it('gives up after three days, with an error in the log and a count', async () => {
    await world.changePassword(ada);
    reply = { code: 451, text: 'try again later' };
    const before = givenUp();
    resume();

    const pauses: number[] = [];
    for (let next: number | undefined = 0; next !== undefined; next = await pauseMinutes()) {
      if (next > 0) {
        pauses.push(next);
        later(next * 60 + 1);
      }
      await world.sendDue(other);
      await until(async () => ((await pauseMinutes()) ?? 1) > 0);
    }

    expect(pauses).toEqual([5, 20, 60, 240, 720, 1440, 1440]);
    expect(sent()).toHaveLength(0);
    expect(givenUp()).toBe(before + 1);
    expect(linesAbout('could not be sent').filter(isAboutAda)).toHaveLength(1);
  });

  it('gives up a mail that the mail server rejects for ever', async () => {
    await world.changePassword(ada);
    reply = { code: 550, text: 'no such user' };
    const before = givenUp();

    resume();
    await world.sendDue(other);
    await until(async () => (await world.outbox()).length === 0);

    expect(sent()).toHaveLength(0);
    expect(givenUp()).toBe(before + 1);
  });

  it('sends a mail again with the same Message-ID if the process dies before it notes the success', async () => {
    await world.changePassword(ada);
    jest
      .spyOn(SecurityMailRepository.prototype, 'finish')
      .mockRejectedValueOnce(new Error('the process has died'));
    resume();
    await Promise.allSettled([sendOnce()]);
    await world.server.mailTo(ada.user.email);
    expect(await sendOnce(other)).toBe(false);

    later(6 * MINUTE);
    await world.sendDue(other);
    await until(async () => (await world.outbox()).length === 0);

    expect(sent()).toHaveLength(2);
    expect(new Set(sent().map(messageIdOf)).size).toBe(1);
  });

  it('deletes mails that were not sent for a week, and counts them', async () => {
    await world.changePassword(ada);
    const before = givenUp();
    later(7 * DAY + MINUTE);

    await world.app.app.get(SecurityMailSender).sweep();

    expect(await world.outbox()).toEqual([]);
    expect(givenUp()).toBe(before + 1);
  });

  it('keeps the mails of an account that is deleted, and adds one about the deletion', async () => {
    await world.app.database.query(`UPDATE users SET language = 'fr' WHERE id = $1`, [ada.user.id]);
    await world.press(ada, '/account/devices', '/account/feeds');
    await world.press(ada, '/account/delete', '/account/delete', { current: ada.user.password });
    resume();

    const deletion = await world.server.mailTo(ada.user.email, 2);
    expect(sent().map(textOf).sort()).toEqual([
      expect.stringContaining('Adresse de flux créée'),
      expect.stringContaining('Compte supprimé'),
    ]);
    expect(textOf(deletion)).toContain('contactez l’administrateur');
    expect(textOf(deletion)).not.toContain(`${world.app.url}/account`);
  });

  it('reports the deletion of the account of a former administrator', async () => {
    await world.app.database.query(`UPDATE users SET role = 'administrator' WHERE id = $1`, [
      ada.user.id,
    ]);
    await world.press(ada, '/account/delete', '/account/delete', { current: ada.user.password });
    resume();

    expect(textOf(await world.server.mailTo(ada.user.email))).toContain('Change: Account deleted');
  });
});

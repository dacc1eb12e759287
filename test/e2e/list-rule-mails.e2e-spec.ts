import { RuleMails } from '../../src/apis/e-reader-mail/rule-mails.js';
import { EpubService } from '../../src/articles/epub/epub.service.js';
import { Mailer } from '../../src/platform/mail/mailer.js';
import { ListRuleMailRepository } from '../../src/reading-list/rules/list-rule-mail.repository.js';
import { SendService } from '../../src/reading-list/send/send.service.js';
import { E_READER_PATH, EReaderWorld } from '../support/e-reader-world.js';
import { shownText } from '../support/page-visitor.js';
import { until } from '../support/processes.js';
import { tagsOf } from '../support/reading-list-api.js';
import { RuleWriter } from '../support/rule-writer.js';
import { aTestApp, type TestApp } from '../support/test-app.js';

const ADDRESS = 'https://sea.example/';
const MAILS_A_DAY = 2;

type Reader = Awaited<ReturnType<EReaderWorld['settled']>>;

let world: EReaderWorld;
let other: TestApp;
let reply: { code: number; text: string } | undefined;
let reader: Reader;
let rules: RuleWriter;

beforeAll(async () => {
  world = await EReaderWorld.begin({ limits: { eReaderMailPerUser: MAILS_A_DAY } }, () => reply);
  other = await aTestApp({ beside: world.app });
});
afterAll(async () => {
  await other.close();
  await world.close();
});
beforeEach(() => {
  reply = undefined;
});
afterEach(() => jest.restoreAllMocks());

async function begin(fields: Record<string, string> = {}): Promise<void> {
  reader = await world.settled(fields);
  rules = new RuleWriter(world.app, reader);
}

/** Saves a page that a rule sends to the e-reader, and waits until its mail is queued. */
async function queued(): Promise<string> {
  const queue = jest.spyOn(RuleMails.prototype, 'sendNext').mockResolvedValue(false);
  await rules.rule(await rules.listOf('/list?site=sea.example'), { on: '1', sends: '1' });
  const id = await reader.api.saved(ADDRESS);
  await rules.handled();
  await rules.fetched(ADDRESS, id);
  await until(isQueued);
  queue.mockRestore();
  return id;
}

const isQueued = async (): Promise<boolean> => (await rules.rowsOf('list_rule_mails')) > 0;

/** Sends the mails that are due from all instances at once. */
const sendDue = (): Promise<unknown> =>
  Promise.all([world.app, other].map(({ app }) => app.get(RuleMails).sendNext()));

const sent = (): number => world.server.sentTo(reader.address).length;

const shown = async (): Promise<string> =>
  shownText(await reader.visitor.open(E_READER_PATH).expect(200));

/** Returns the minutes until the next attempt. Undefined if the mail is not queued. */
async function pauseMinutes(): Promise<number | undefined> {
  const [row] = await world.app.database.query<{ queued_at: Date }>(
    'SELECT queued_at FROM list_rule_mails WHERE user_id = $1',
    [reader.userId],
  );
  return row && Math.round((row.queued_at.getTime() - world.app.clock.now().getTime()) / 60_000);
}

describe('the mail of a rule', () => {
  it('is sent once when the page is fetched, also if two rules and two instances send it', async () => {
    await begin();
    await rules.rule(await rules.listOf('/list?site=example', 'B'), {
      ...{ on: '1', sends: '1', tags: 'sent' },
    });
    const id = await queued();
    expect(sent()).toBe(0);

    await sendDue();
    await until(async () => !(await isQueued()));

    expect(sent()).toBe(1);
    expect(tagsOf(await reader.api.item(id))).toEqual(['sent']);
  });

  it('stays in the queue while it is sent, and is sent again if the process dies', async () => {
    await begin();
    await queued();
    const wasQueued: boolean[] = [];
    jest.spyOn(EpubService.prototype, 'ofItem').mockImplementationOnce(async () => {
      wasQueued.push(await isQueued());
      // The lease keeps other instances from sending the mail.
      wasQueued.push(await other.app.get(RuleMails).sendNext());
      throw new Error('the process dies');
    });
    jest
      .spyOn(ListRuleMailRepository.prototype, 'postpone')
      .mockRejectedValueOnce(new Error('the process has died'));

    await world.app.app.get(RuleMails).sendNext();

    expect(wasQueued).toEqual([true, false]);
    expect(sent()).toBe(0);
    world.app.clock.advance(5 * 60);
    await sendDue();
    await until(async () => !(await isQueued()));
    expect(sent()).toBe(1);
  });

  it('is tried again with pauses, counts once against the limit, and is given up in the end', async () => {
    await begin();
    await queued();
    const send = jest.spyOn(Mailer.prototype, 'send').mockResolvedValue('unreachable');

    const pauses: number[] = [];
    await sendDue();
    for (let next = await pauseMinutes(); next !== undefined; next = await pauseMinutes()) {
      pauses.push(next);
      world.app.clock.advance(next * 60 + 1);
      await sendDue();
    }

    expect(pauses).toEqual([5, 20, 60, 240, 720, 1440, 1440]);
    // The service may also send mails about changes of security meanwhile.
    const tried = await Promise.all(send.mock.calls.map(([write]) => write()));
    const attempts = tried.filter((mail) => mail?.to === reader.address);
    expect(attempts).toHaveLength(pauses.length + 1);
    expect(await shown()).toMatch(/was not sent/);
  });

  it('is removed if the mail server rejects it, with a reason', async () => {
    await begin();
    await queued();
    reply = { code: 550, text: 'no such user' };

    await sendDue();
    await until(async () => !(await isQueued()));

    expect(await shown()).toContain('The mail server rejected the email.');
    expect(sent()).toBe(0);
  });

  it('is not sent again if its item cannot be archived', async () => {
    await begin({ archives: '1' });
    await queued();
    const archive = jest
      .spyOn(SendService.prototype, 'send')
      .mockRejectedValueOnce(new Error('broken'));

    await sendDue();
    await until(async () => !(await isQueued()));
    world.app.clock.advance(5 * 60);
    await sendDue();

    expect(archive).toHaveBeenCalledTimes(1);
    expect(sent()).toBe(1);
  });

  it('is removed if the item or the e-reader is missing, without a reason', async () => {
    await begin();
    const id = await queued();
    await reader.api.sent({ action: 'delete', item_id: id });

    await sendDue();
    await until(async () => !(await isQueued()));

    expect(sent()).toBe(0);
    expect(await shown()).not.toMatch(/was not sent/);
  });
});

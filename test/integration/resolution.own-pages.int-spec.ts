import { ServiceBusyError } from '../../src/common/common.errors.js';
import { SentPageRepository } from '../../src/resolver/sent-page.repository.js';
import { ListsOnPostgres } from '../support/a-list.js';
import { EndlessReader } from '../support/endless-reader.js';
import { INTERVALS_ONLY } from '../support/fake-intervals.js';
import { resolverParts } from '../support/resolver-parts.js';

const VERSION = '00000000-0000-4000-8000-000000000000';

let lists: ListsOnPostgres;

beforeAll(async () => {
  lists = await ListsOnPostgres.start();
});
afterAll(() => lists.stop());
/** What is never read would renew its lease for as long as the process lives. */
beforeEach(() => jest.useFakeTimers(INTERVALS_ONLY));
afterEach(() => jest.useRealTimers());

const pageOf = (userId: string) => ({
  userId,
  itemId: '1',
  url: 'http://example.com',
  html: '',
  version: VERSION,
});

/** A page that is refused is taken out of the database, before the call first waits. */
const refusals = jest.spyOn(SentPageRepository.prototype, 'take');
afterEach(() => refusals.mockClear());

/** Whether one of them has come to an end by now. */
const hasAnyEnded = (kept: Promise<boolean>[]): Promise<boolean> => {
  const isEnded = (): boolean => true;
  const ended = kept.map((one) => one.then(isEnded, isEnded));
  return Promise.race([...ended, new Promise<boolean>((resolve) => setImmediate(resolve, false))]);
};

describe('pages that clients send', () => {
  it('are refused when too many of them wait', async () => {
    const sentPages = resolverParts(lists.database).sentPages(new EndlessReader());
    const kept = Array.from({ length: 51 }, (_, n) => sentPages.keep(pageOf(String(n))));

    expect(refusals).not.toHaveBeenCalled();
    await expect(sentPages.keep(pageOf('52'))).rejects.toThrow(ServiceBusyError);
    expect(await hasAnyEnded(kept)).toBe(false);
  });

  it('are refused when too many of one person wait, while others are taken', async () => {
    const sentPages = resolverParts(lists.database).sentPages(new EndlessReader());
    const kept = Array.from({ length: 10 }, () => sentPages.keep(pageOf('1')));

    expect(refusals).not.toHaveBeenCalled();
    await expect(sentPages.keep(pageOf('1'))).rejects.toThrow(ServiceBusyError);
    kept.push(sentPages.keep(pageOf('2')));
    expect(refusals).toHaveBeenCalledTimes(1);
    expect(await hasAnyEnded(kept)).toBe(false);
  });
});

import { setTimeout as pause } from 'node:timers/promises';

import { ServiceBusyError } from '../../src/common/common.errors.js';
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

/** Tells whether one of them was refused soon. */
const isAnyRefused = (kept: Promise<boolean>[]): Promise<boolean> =>
  Promise.race([Promise.race(kept).catch(() => true), pause(200, false)]);

describe('pages that clients send', () => {
  it('are refused when too many of them wait', async () => {
    const sentPages = resolverParts(lists.database).sentPages(new EndlessReader());
    const kept = Array.from({ length: 51 }, (_, n) => sentPages.keep(pageOf(String(n))));

    expect(await isAnyRefused(kept)).toBe(false);
    await expect(sentPages.keep(pageOf('52'))).rejects.toThrow(ServiceBusyError);
  });

  it('are refused when too many of one person wait, while others are taken', async () => {
    const sentPages = resolverParts(lists.database).sentPages(new EndlessReader());
    const kept = Array.from({ length: 10 }, () => sentPages.keep(pageOf('1')));

    expect(await isAnyRefused(kept)).toBe(false);
    await expect(sentPages.keep(pageOf('1'))).rejects.toThrow(ServiceBusyError);
    expect(await isAnyRefused([sentPages.keep(pageOf('2'))])).toBe(false);
  });
});

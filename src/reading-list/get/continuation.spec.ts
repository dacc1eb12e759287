import type { PageCursor } from '../entities/page-cursor.entity.js';
import { continuationOf } from './continuation.js';

const aCursor = (changes: Partial<PageCursor> = {}): PageCursor => ({
  userId: '1',
  question: Buffer.of(1),
  pageOffset: 30,
  version: 100,
  position: Buffer.of(5),
  since: 100,
  total: 90,
  readers: 1,
  notedAt: new Date(1_000_000),
  ...changes,
});
const at = { offset: 30 };

describe('continuationOf', () => {
  it('is nothing where no page was read', () => {
    expect(continuationOf([], at)).toBeUndefined();
  });

  it('begins behind the page that ended at the offset, and uses its cursor up', () => {
    expect(continuationOf([aCursor()], at)).toEqual({
      version: 100,
      position: Buffer.of(5),
      skipped: 0,
      since: 100,
      total: 90,
      commonVersion: 100,
      usedVersion: 100,
    });
  });

  it('passes over what a client leaves out', () => {
    expect(continuationOf([aCursor()], { offset: 70 })).toMatchObject({
      skipped: 40,
      usedVersion: undefined,
    });
  });

  it('serves the first of two clients, with the since of the earlier, and uses up the further one', () => {
    const further = aCursor({ version: 90, since: 90, position: Buffer.of(7), total: 91 });

    expect(continuationOf([further, aCursor()], at)).toMatchObject({
      version: 100,
      position: Buffer.of(5),
      since: 90,
      total: 91,
      commonVersion: undefined,
      usedVersion: 90,
    });
  });

  it('uses nothing up while one of the cursors stands for several clients', () => {
    const several = aCursor({ version: 90, readers: 2 });

    expect(continuationOf([several, aCursor()], at)?.usedVersion).toBeUndefined();
  });

  it('prefers a cursor that was not used to one behind which the last page was read', () => {
    const used = aCursor({ version: 90, position: Buffer.of(3), readers: -1 });

    expect(continuationOf([used, aCursor()], at)?.version).toBe(100);
    expect(continuationOf([used], at)?.version).toBe(90);
  });

  it('serves a client that may ask again for a page, and uses up a cursor that was not used', () => {
    const used = aCursor({ version: 90, position: Buffer.of(3), readers: 0 });
    const further = aCursor({ version: 80, position: Buffer.of(9), readers: 0 });

    expect(continuationOf([used, aCursor(), further], at)).toMatchObject({
      version: 90,
      usedVersion: 100,
    });
    expect(continuationOf([used], at)).toMatchObject({ version: 90, usedVersion: undefined });
  });

  it('waits for a client for as long as a cursor is kept', () => {
    const older = aCursor({ version: 90, position: Buffer.of(3), notedAt: new Date(400_000) });

    expect(continuationOf([older, aCursor()], at)?.version).toBe(90);
  });

  it('has the since of the earliest client behind the last page, where they look the same', () => {
    const other = aCursor({ pageOffset: 60, version: 90, since: 80, notedAt: new Date(400_000) });

    expect(continuationOf([aCursor(), other], { offset: 90 })).toMatchObject({
      version: 100,
      since: 80,
    });
  });
});

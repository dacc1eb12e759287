import { isCurrent, type Validators, validatorsOf } from './validators.js';

const NOW = 1_763_800_000;
const AT_NOW = new Date(NOW * 1000).toUTCString();

const validators = (version: number, now = NOW, facts = ['a feed']): Validators =>
  validatorsOf({ facts, version, changedAt: version }, now);

describe('the validators of a feed', () => {
  it('differ with the version and with what the feed is', () => {
    const etags = [validators(NOW), validators(NOW - 1), validators(NOW, NOW, ['another'])].map(
      ({ etag }) => etag,
    );

    expect(new Set(etags).size).toBe(3);
    expect(etags.filter((etag) => !/^"[\w-]+"$/.test(etag))).toEqual([]);
    expect(validators(NOW, NOW + 99).etag).toBe(etags[0]);
  });

  it('tell no date that has not passed, so that a change within a second is seen', () => {
    expect(validators(NOW).lastModified).toEqual(new Date(NOW * 1000));
    expect(validators(NOW + 1)).not.toHaveProperty('lastModified');
    expect(isCurrent({ 'if-modified-since': AT_NOW }, validators(NOW + 1))).toBe(false);
    expect(isCurrent({ 'if-modified-since': AT_NOW }, validators(NOW + 1, NOW + 1))).toBe(false);
  });

  const { etag } = validators(NOW);

  it.each([
    [{ 'if-none-match': etag }, true],
    [{ 'if-none-match': `W/${etag}` }, true],
    [{ 'if-none-match': `"x", ${etag}` }, true],
    [{ 'if-none-match': '*' }, true],
    [{ 'if-none-match': '"x"' }, false],
    [{ 'if-none-match': '' }, false],
    [{ 'if-none-match': '"x"', 'if-modified-since': AT_NOW }, false],
    [{ 'if-modified-since': AT_NOW }, true],
    [{ 'if-modified-since': 'Sat, 01 Jan 2000 00:00:00 GMT' }, false],
    [{ 'if-modified-since': 'yesterday' }, false],
    [{}, false],
  ])('are compared with %j', (headers, expected) => {
    expect(isCurrent(headers, validators(NOW))).toBe(expected);
  });
});

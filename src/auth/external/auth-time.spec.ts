import { authTimeOf } from './issuer-claims.js';

const NOW = new Date('2026-03-01T12:00:00Z');
const SECONDS = NOW.getTime() / 1000;

describe('the time of a login at the issuer', () => {
  it('is the reported time, but never a time in the future', () => {
    expect(authTimeOf({ auth_time: SECONDS - 60 }, NOW)).toEqual(new Date('2026-03-01T11:59:00Z'));
    expect(authTimeOf({ auth_time: SECONDS + 60 }, NOW)).toEqual(NOW);
  });

  it.each([SECONDS * 1000, 1e20, Infinity, NaN, -1, SECONDS + 61, String(SECONDS), null, {}])(
    'is unknown if the issuer reports %j',
    (value) => {
      expect(authTimeOf({ auth_time: value }, NOW)).toBeUndefined();
    },
  );
});

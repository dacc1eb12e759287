import { randomBytes } from 'node:crypto';

import type { Config } from '../../platform/config/config.js';
import { FeedTokens } from './feed-tokens.js';

const tokensWith = (...sessionSecrets: [string, ...string[]]): FeedTokens =>
  new FeedTokens({ sessionSecrets } as unknown as Config);

describe('a feed token', () => {
  const tokens = tokensWith('one secret');

  it('has its id, under a secret that is in use still', () => {
    const id = tokens.newId();
    const token = tokens.tokenOf(id);

    expect(token).toMatch(/^[\w-]{48}$/);
    expect(tokens.idIn(token)).toEqual(id);
    expect(tokensWith('a newer one', 'one secret').idIn(token)).toEqual(id);
    expect(tokensWith('a newer one').idIn(token)).toBeUndefined();
  });

  it('is not made by who knows the id alone, and has one spelling', () => {
    const token = tokens.tokenOf(tokens.newId());
    const others = Array.from(token, (character, at) =>
      [...'AZaz09-_']
        .filter((one) => one !== character)
        .map((one) => `${token.slice(0, at)}${one}${token.slice(at + 1)}`),
    ).flat();

    const forged = [
      ...others,
      ...['', 'x', `${token}A`, token.slice(0, -1), `${token}=`, ` ${token}`, 'ä'.repeat(48)],
      ...[token.slice(0, 16).padEnd(48, 'A'), randomBytes(36).toString('base64url')],
    ];
    expect(forged.length).toBeGreaterThan(300);
    expect(forged.filter((one) => tokens.idIn(one) !== undefined)).toEqual([]);
  });
});

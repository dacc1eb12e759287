import { allowing } from './allowed-addresses.js';

describe('addresses that an operator allows', () => {
  const allows = allowing(['10.1.0.0/16', '127.0.0.2', 'fd00:1::/32', '::1']);

  it.each(['1.1.1.1', '10.1.2.3', '::ffff:10.1.2.3', '127.0.0.2', 'fd00:1::5', '::1'])(
    'are those of its networks, and all public ones: %s',
    (address) => {
      expect(allows(address)).toBe(true);
    },
  );

  it.each([
    '10.2.0.1',
    '127.0.0.1',
    '127.0.0.3',
    '169.254.169.254',
    'fd00:2::5',
    '::2',
    '::10.1.2.3',
    '::ffff:127.0.0.1',
    '64:ff9b::10.1.2.3',
    'fd00:1::5%eth0',
    'wiki.example',
    '',
  ])('are no others: %s', (address) => {
    expect(allows(address)).toBe(false);
  });

  it('are none unless they are named', () => {
    expect(['10.1.2.3', '127.0.0.1', '::1'].filter(allowing([]))).toEqual([]);
  });
});

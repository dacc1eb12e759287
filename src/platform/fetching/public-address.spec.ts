import { allowing, isPublicAddress } from './public-address.js';

describe('an address of the public internet', () => {
  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.32.0.1',
    '172.15.255.255',
    '100.128.0.1',
    '192.169.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2a00:1450:4001::200e',
    '::ffff:1.1.1.1',
  ])('is one: %s', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each([
    '',
    'localhost',
    '1.1.1',
    '0x1.1.1.1',
    '1.1.1.1 ',
    '2606:4700::1111%eth0',
    '[2606:4700::1111]',
    '2002:101:101::1',
    '2001:0:4136:e378:8000:63bf:3fff:fdd2',
    '4000::1',
    '100:0:0:1::1',
    '::1.1.1.1',
    '0:0:0:0:0:0:1.1.1.1',
    '::127.0.0.1',
    '64:ff9b::1.1.1.1',
    '192.88.99.1',
    '168.63.129.16',
    '::ffff:168.63.129.16',
    '::ffff:10.0.0.1',
  ])('is none: %s', (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
});

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

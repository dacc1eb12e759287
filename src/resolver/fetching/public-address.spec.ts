import { isPublicAddress } from './public-address.js';

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
